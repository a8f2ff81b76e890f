// Draw the server's tree of Markdown: blocks, inline marks, results with their dice, and calls.

import { html, nothing } from "./lit-html/lit-html.js";
import { die } from "./dice.js";
import { nameOf, state } from "./state.js";

const STYLES = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
};
const UNITS = [["year", 31_557_600], ["month", 2_629_800], ["week", 604_800], ["day", 86_400], ["hour", 3600], ["minute", 60], ["second", 1]];

export const clock = (at) => new Intl.DateTimeFormat(undefined, STYLES.t).format(at);

const relative = (at) => {
  const seconds = Math.round((at - Date.now()) / 1000);
  const [unit, size] = UNITS.find(([, least]) => Math.abs(seconds) >= least) ?? UNITS.at(-1);
  return new Intl.RelativeTimeFormat(undefined, { numeric: "auto" }).format(Math.round(seconds / size), unit);
};

const told = (at, style) => (style === "R" ? relative(at) : new Intl.DateTimeFormat(undefined, STYLES[style]).format(at));

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
  b: (node) => html`<strong>${inline(node.c)}</strong>`,
  i: (node) => html`<em>${inline(node.c)}</em>`,
  u: (node) => html`<u>${inline(node.c)}</u>`,
  s: (node) => html`<s>${inline(node.c)}</s>`,
  spoiler: (node) => html`<button class="spoiler" type="button" aria-label="Spoiler, press to show" aria-expanded="false" @click=${reveal}>${inline(node.c)}</button>`,
  code: (node) => html`<code>${node.text}</code>`,
  user: (node) => mention(`@${nameOf(node.id)}`),
  role: (node) => mention(`@${state.roles.get(node.id)?.name ?? "somebody"}`),
  channel: (node) => mention(`#${state.channels.get(node.id)?.name ?? "somewhere"}`),
  everyone: (node) => mention(node.text),
  time: (node) => html`<time class=${node.style === "R" ? "relative" : "fixed"} data-at=${node.at} title=${told(node.at, "F")} .textContent=${told(node.at, node.style)}></time>`,
  link: (node) => html`<a href=${node.href} target="_blank" rel="noopener noreferrer">${inline(node.c)}</a>${node.host ? html` <span class="soft">(${node.host})</span>` : nothing}`,
  br: () => html`<br />`,
};

export const inline = (nodes) => nodes.map((node) => (typeof node === "string" ? node : INLINE[node.n]?.(node) ?? node.text));

const heading = (level, content) => (level === 1 ? html`<h1>${content}</h1>` : level === 2 ? html`<h2>${content}</h2>` : html`<h3>${content}</h3>`);

const list = ({ ordered, start, items }) => {
  const rows = items.map((item) => html`<li>${inline(item)}</li>`);
  return ordered ? html`<ol start=${start}>${rows}</ol>` : html`<ul>${rows}</ul>`;
};

const part = ({ text, dice }) =>
  dice ? dice.map(({ sides, show, kept, success, plain }) => die({ sides: plain ? sides : 0, text: show, wide: !plain, dropped: !kept, success })) : html`<span>${text}</span>`;

const SAID = { pass: "said pass", fail: "said fail" };

// A result is drawn for the eye; readers, copies and searches get the text as it was sent.
const result = (node) => html`<div class="result${node.big ? "" : " small"}${node.turn ? " turn" : ""}">
  <span class="unseen">${node.text}</span>
  ${node.who || node.label ? html`<span class="lead" aria-hidden="true">${node.who ? inline(node.who) : html`<b>${node.label}</b>`}</span>` : nothing}
  <span class="total${/^[-+−]?[\d,.]+$/.test(node.total) ? "" : " words"}" aria-hidden="true">${node.total}</span>
  <span class="thrown" aria-hidden="true">${node.parts.map(part)} ${node.more ?? nothing}</span>
  ${node.after?.length ? html`<span class=${SAID[node.tone] ?? "soft"} aria-hidden="true">${inline(node.after)}</span>` : nothing}
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
  p: (node) => html`<p>${inline(node.c)}</p>`,
  small: (node) => html`<small>${inline(node.c)}</small>`,
  quote: (node) => html`<blockquote>${blocks(node.c)}</blockquote>`,
  h: (node) => heading(node.level, inline(node.c)),
  list,
  pre: (node) => html`<pre tabindex="0"><code>${node.text}</code></pre>`,
  label: (node) => html`<p class="roll-label">${node.text}</p>`,
  result: soloLabel,
  card,
};

export const blocks = (nodes) => nodes.map((node) => BLOCKS[node.n]?.(node) ?? nothing);
