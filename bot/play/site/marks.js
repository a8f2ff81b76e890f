// Draw the server's tree of Markdown: blocks, inline marks, results, and calls.

import { html, nothing } from "./lit-html/lit-html.js";
import { die } from "./dice.js";
import { nameOf, state } from "./state.js";

const [S, L] = ["short", "long"];
const STYLES = { t: { timeStyle: S }, T: { timeStyle: "medium" }, d: { dateStyle: S }, D: { dateStyle: L }, f: { dateStyle: L, timeStyle: S }, F: { dateStyle: "full", timeStyle: S } };
const UNITS = [["year", 31_557_600], ["month", 2_629_800], ["week", 604_800], ["day", 86_400], ["hour", 3600], ["minute", 60], ["second", 0]];

const relative = (at) => {
  const seconds = Math.round((at - Date.now()) / 1000);
  const [unit, size] = UNITS.find(([, least]) => Math.abs(seconds) >= least);
  return new Intl.RelativeTimeFormat(undefined, { numeric: "auto" }).format(Math.round(seconds / (size || 1)), unit);
};

const told = (at, style) => (style === "R" ? relative(at) : new Intl.DateTimeFormat(undefined, STYLES[style]).format(at));
export const clock = (at) => told(at, "t");

// Bring every relative time up to date; true while there are any.
export const tick = (root) => {
  const times = root.querySelectorAll("time.relative");
  for (const time of times) time.textContent = relative(Number(time.dataset.at));
  return times.length > 0;
};

const reveal = ({ currentTarget }) => {
  currentTarget.setAttribute("aria-expanded", "true");
  currentTarget.removeAttribute("aria-label");
};

const mention = (text) => html`<span class="mention">${text}</span>`;

const INLINE = {
  b: ({ c }) => html`<strong>${inline(c)}</strong>`,
  i: ({ c }) => html`<em>${inline(c)}</em>`,
  u: ({ c }) => html`<u>${inline(c)}</u>`,
  s: ({ c }) => html`<s>${inline(c)}</s>`,
  spoiler: ({ c }) => html`<button class="spoiler" aria-label="Spoiler, press to show" aria-expanded="false" @click=${reveal}>${inline(c)}</button>`,
  code: ({ text }) => html`<code>${text}</code>`,
  user: ({ id }) => mention(`@${nameOf(id)}`),
  role: ({ id }) => mention(`@${state.roles.get(id)?.name ?? "somebody"}`),
  channel: ({ id }) => mention(`#${state.channels.get(id)?.name ?? "somewhere"}`),
  time: ({ at, style }) => html`<time class=${style === "R" ? "relative" : nothing} data-at=${at} title=${told(at, "F")} .textContent=${told(at, style)}></time>`,
  link: ({ href, host, c }) => html`<a href=${href} target="_blank" rel="noopener noreferrer">${inline(c)}</a>${host ? html` <span class="soft">(${host})</span>` : nothing}`,
  die: ({ sides, text, fate }) => html`${die({ sides, text, dropped: fate === "dropped", success: fate === "success" })} ${fate === "dropped" ? html`<del class="unseen">(dropped ${text})</del>` : html`<span class="unseen">(${text})</span>`}`,
  br: () => html`<br>`,
};

// Arrows are for the eye: a reader would name them.
const plain = (text) => (/[←→➤]/.test(text) ? text.split(/([←→➤])/).map((piece, at) => (at % 2 ? html`<span class="arrow" aria-hidden="true">${piece}</span>` : piece)) : text);

export const inline = (nodes) => nodes.map((node) => (typeof node === "string" ? plain(node) : INLINE[node.n]?.(node) ?? node.text));

// An emoji of a button: a die is drawn by its name, others of the bot's are its pictures.
export const emoji = ({ id, name }) => {
  const [, sides, text] = /^d(\d+)_(\d+)/.exec(id ? name : "") ?? [];
  if (text) return die({ sides: Number(sides), text, dropped: name.endsWith("_dropped"), success: name.endsWith("_success") });
  return id ? html`<img class="emoji" src="/s/${state.seat}/emoji/${id}" alt=${name}>` : name;
};

const list = ({ ordered, start, items }) => {
  const rows = items.map((item) => html`<li>${inline(item)}</li>`);
  return ordered ? html`<ol start=${start}>${rows}</ol>` : html`<ul>${rows}</ul>`;
};

const part = ({ text, dice }) =>
  dice ? dice.map(({ sides, show, kept, success, plain }) => die({ sides: plain ? sides : 0, text: show, wide: !plain, dropped: !kept, success })) : html`<span>${text}</span>`;

// A long name has a line of its own on a phone's card.
const isLong = ([{ id, text = nameOf(id) }]) => text.length > 12;

// A result is drawn for the eye; readers, copies and searches get the text.
const result = (node) => html`<div class="result${node.big ? "" : " small"}${node.turn ? " turn" : ""}">
  ${node.who ? html`<span class=${isLong(node.who) ? "long" : nothing}>${inline(node.who)}</span>` : node.label ? html`<b aria-hidden="true">${node.label}</b>` : nothing}
  <span class="unseen">${inline(node.text)}</span>
  <span class="total${/^[-+−]?[\d,.]+$/.test(node.total) ? "" : " words"}" aria-hidden="true">${node.total}</span>
  <span class="thrown" aria-hidden="true">${node.parts.map(part)}</span>
  ${node.after?.length ? html`<span class=${node.tone ?? "soft"} aria-hidden="true">${inline(node.after)}</span>` : nothing}
</div>`;

const soloLabel = (node) => (node.big && node.label && !node.who ? html`<p class="roll-label" aria-hidden="true">${node.label}</p>${result({ ...node, label: null })}` : result(node));

const card = (node) => html`<section class="card">
  <h3>${inline(node.title)}</h3>
  ${node.asked.length ? html`<p class="asked">${inline(node.asked)}</p>` : nothing} ${node.lines.map((line) => html`<p>${inline(line)}</p>`)}
  ${node.rows.map(result)}
  ${node.missing ? html`<p class="missing"><span>${node.missing_word}</span> <span>${inline(node.missing)}</span></p>` : nothing}
  ${node.verdict ? html`<p class="verdict">${inline(node.verdict)}</p>` : nothing} ${node.foot.map((line) => html`<p>${inline(line)}</p>`)}
</section>`;

const BLOCKS = {
  p: ({ c }) => html`<p>${inline(c)}</p>`,
  small: ({ c }) => html`<small>${inline(c)}</small>`,
  quote: ({ c }) => html`<blockquote>${blocks(c)}</blockquote>`,
  h: ({ level, c }) => html`<h3 class="level-${level}">${inline(c)}</h3>`,
  list,
  rows: ({ items }) => html`<ul class="rows" role="list">${items.map((item) => html`<li>${inline(item)}</li>`)}</ul>`,
  pre: ({ text }) => html`<pre tabindex="0"><code>${text}</code></pre>`,
  label: ({ text }) => html`<p class="roll-label">${text}</p>`,
  result: soloLabel,
  card,
};

export const blocks = (nodes) => nodes.map((node) => BLOCKS[node.n]?.(node) ?? nothing);
