// Draw the server's tree of Markdown: blocks and inline marks.

import { html, nothing } from "./lit-html/lit-html.js";
import { die } from "./dice.js";
import { locale, say } from "./say.js";
import { nameOf, state } from "./state.js";

const [S, L] = ["short", "long"];
const STYLES = { t: { timeStyle: S }, T: { timeStyle: "medium" }, d: { dateStyle: S }, D: { dateStyle: L }, f: { dateStyle: L, timeStyle: S }, F: { dateStyle: "full", timeStyle: S } };
const UNITS = [["year", 31_557_600], ["month", 2_629_800], ["week", 604_800], ["day", 86_400], ["hour", 3600], ["minute", 60], ["second", 0]];

const relative = (at) => {
  const seconds = Math.round((at - Date.now()) / 1000);
  const [unit, size] = UNITS.find(([, least]) => Math.abs(seconds) >= least);
  return new Intl.RelativeTimeFormat(locale(), { numeric: "auto" }).format(Math.round(seconds / (size || 1)), unit);
};

const formatTime = (at, style) => (style === "R" ? relative(at) : new Intl.DateTimeFormat(locale(), STYLES[style]).format(at));
export const clock = (at) => formatTime(at, "t");

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
  spoiler: ({ c }) => html`<button class="spoiler" aria-label=${say("Spoiler, press to show")} aria-expanded="false" @click=${reveal}>${inline(c)}</button>`,
  code: ({ text }) => html`<code>${text}</code>`,
  user: ({ id }) => mention(`@${nameOf(id)}`),
  role: ({ id }) => mention(`@${state.roles.get(id)?.name ?? say("somebody")}`),
  channel: ({ id }) => mention(`#${state.channels.get(id)?.name ?? say("somewhere")}`),
  time: ({ at, style }) => html`<time class=${style === "R" ? "relative" : nothing} data-at=${at} title=${formatTime(at, "F")} .textContent=${formatTime(at, style)}></time>`,
  link: ({ href, host, c }) => html`<a href=${href} target="_blank" rel="noopener noreferrer">${inline(c)}</a>${host ? html` <span class="soft">(${host})</span>` : nothing}`,
  die: ({ sides, text, fate }) => html`${die({ sides, text, dropped: fate === "dropped", success: fate === "success" })} ${fate === "dropped" ? html`<del class="unseen">${say("(dropped {text})", { text })}</del>` : html`<span class="unseen">(${text})</span>`}`,
  br: () => html`<br>`,
};

// Hide arrows from screen readers, which would name them.
const plain = (text) => (/[←→➤]/.test(text) ? text.split(/([←→➤])/).map((piece, at) => (at % 2 ? html`<span class="arrow" aria-hidden="true">${piece}</span>` : piece)) : text);

const inline = (nodes) => nodes.map((node) => (typeof node === "string" ? plain(node) : INLINE[node.n]?.(node) ?? node.text));

// An emoji of a button: a die is drawn by its name, other emojis of the bot are its pictures.
export const emoji = ({ id, name }) => {
  const [, sides, text] = /^d(\d+)_(\d+)/.exec(id ? name : "") ?? [];
  if (text) return die({ sides: Number(sides), text, dropped: name.endsWith("_dropped"), success: name.endsWith("_success") });
  return id ? html`<img class="emoji" src="/s/${state.seat}/emoji/${id}" alt=${name}>` : name;
};

const list = ({ ordered, start, items }) => {
  const rows = items.map((item) => html`<li>${inline(item)}</li>`);
  return ordered ? html`<ol start=${start}>${rows}</ol>` : html`<ul>${rows}</ul>`;
};

const BLOCKS = {
  p: ({ c }) => html`<p>${inline(c)}</p>`,
  small: ({ c }) => html`<small>${inline(c)}</small>`,
  quote: ({ c }) => html`<blockquote>${blocks(c)}</blockquote>`,
  h: ({ level, c }) => html`<h2 class="level-${level}">${inline(c)}</h2>`,
  list,
  rows: ({ items }) => html`<ul class="rows" role="list">${items.map((item) => html`<li>${inline(item)}</li>`)}</ul>`,
  pre: ({ text }) => html`<pre tabindex="0"><code>${text}</code></pre>`,
};

export const blocks = (nodes) => nodes.map((node) => BLOCKS[node.n]?.(node) ?? nothing);
