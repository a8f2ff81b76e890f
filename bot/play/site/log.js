// The conversation: drawing of its messages, and the scroll position.

import { html, nothing, render } from "./lit-html/lit-html.js";
import { die, mark } from "./dice.js";
import { drawEach } from "./each.js";
import { focus, remember } from "./focus.js";
import { run } from "./line.js";
import { invite } from "./manage.js";
import { tick } from "./marks.js";
import { article, joins, messageKey } from "./message.js";
import { coded, say, sayMany } from "./say.js";
import { ask, isOpen, send } from "./socket.js";
import { changed, currentChannel, later, me, own, seated, state } from "./state.js";

const log = document.getElementById("log"), below = document.getElementById("below");
const NEAR_PX = 80, EARLY_PX = 200;
let following = true, top = 0, fresh = 0, timer = null, fetching = false, wanted = null;

const distance = () => log.scrollHeight - log.scrollTop - log.clientHeight;
const current = () => state.logs.get(state.channel);

// Content that grows below moves nothing: only scrolling up leaves the end. A drawing may precede the scroll event.
const look = () => {
  if (distance() > NEAR_PX && log.scrollTop < top) following = false;
  top = log.scrollTop;
};
const toEnd = () => {
  log.scrollTop = current().messages.length ? log.scrollHeight : 0; // an empty place begins above
  top = log.scrollTop;
};

// True if the page has the focus and shows the end of that channel.
export const watching = (channel) => document.hasFocus() && following && channel === state.channel && !current().later;

const markRead = () => {
  const channel = currentChannel();
  if (!channel?.latest || !isOpen() || !watching(channel.id) || !(channel.unread || later(channel.latest, channel.read))) return;
  send({ t: "read", channel: channel.id, message: channel.latest });
  Object.assign(channel, { read: channel.latest, unread: 0, calls: 0 });
  changed();
};

// Handle a new message: scroll to the person's own and its answer, count others that are out of view.
export const onMessage = (message) => {
  if (message.channel !== state.channel) return;
  if (own(message) && current().later) openChannel(state.channel);
  else if (own(message)) [following, top] = [true, 0];
  else if (!following) fresh += 1;
};

// Make a change without moving the view (its end, else its first message) or the focus.
const hold = (change) => {
  look();
  const edge = log.getBoundingClientRect().top;
  const first = !following && [...log.querySelectorAll("article")].find((message) => message.getBoundingClientRect().bottom > edge);
  const place = first && first.getBoundingClientRect().top;
  const keepFocus = remember();
  change();
  keepFocus();
  if (following) toEnd();
  else if (first?.isConnected) log.scrollTop += first.getBoundingClientRect().top - place;
};

const more = (word, act) => html`<button class="button older" @click=${act}>${word}</button>`;

// A message is drawn again only if it or the message before it has changed.
const list = document.createElement("div"), drawn = new Map();
const drawMessages = ({ messages, readTo }) => {
  const first = messages.find((message) => readTo !== undefined && later(message.id, readTo) && !own(message));
  const joined = (message, place) => message !== first && joins(message, messages[place - 1]);
  const key = (message, place) => [...messageKey(message), message === first, joined(message, place)];
  const separator = html`<div class="line new" role="separator">${say("New")}</div>`;
  drawEach(list, drawn, messages, key, (message, place) => [message === first ? separator : nothing, article(message, joined(message, place))]);
};

// The empty table: three lines to begin with, which that person may run.
const STARTS = {
  roll: () => ({ sides: 6, show: "5", name: say("Roll {dice}", { dice: "2d6+3" }), about: say("Plain dice, in the open"), line: "/roll 2d6+3" }),
  fair: () => ({ sides: 20, show: "20", name: say("Make a fair roller"), about: say("2d6 whose luck evens out over the evening"), line: `/roller fair name:${say("Luck")} dice:2d6` }),
  d100: () => ({ sides: 10, show: "00", name: say("Roll a d100"), about: say("From six-sided dice, every result as likely"), line: "/d100 roll" }),
  keys: () => ({ sides: 20, show: "20", name: say("Put up dice"), about: say("Keys that everybody presses"), line: "/buttons" }),
  check: () => ({ sides: 12, show: "7", name: say("Call a check"), about: say("One message, everybody presses Roll"), line: `/group call check:${say("Perception")} dice:1d20` }),
};
const start = ({ sides, show, name, about, line }) => html`<button class="line start" @click=${() => run(line)}>
  ${die({ sides, text: show })}<span><b>${name}</b> ${about} <code>${line}</code></span>
</button>`;
const isAlone = () => currentChannel().kind === "alone";
const isUnaccompanied = () => state.lan && me().gm && seated().every(({ id }) => id === state.you);
const empty = () => html`<section class="empty" aria-label=${say("How to begin")}>
  ${mark()}
  <h2>${say("The table is laid.")}</h2>
  <p>${coded(say("Type `/` and roll, or begin with one of these."))} ${isAlone() ? say("Here nobody but you sees it.") : say("Everybody who sits here sees it at once.")}</p>
  ${(isAlone() ? [STARTS.roll, STARTS.fair, STARTS.d100] : [STARTS.roll, ...(me().gm ? [STARTS.fair, STARTS.check] : [STARTS.d100, STARTS.keys])]).map((starter) => start(starter()))}
  ${isUnaccompanied() ? html`<p>${say("Nobody else is here yet. A link and a code to scan bring them:")} <button @click=${invite}>${say("Invite people")}</button></p>` : nothing}
</section>`;

const content = (channelLog) => html`${channelLog.more ? more(say("Older messages"), older) : nothing} ${channelLog.messages.length ? list : empty()} ${channelLog.later ? more(say("Newer messages"), newer) : nothing}`;

export const drawLog = () => {
  hold(() => (drawMessages(current()), render(content(current()), log)));
  drawBelow();
  clearInterval(timer);
  if (tick(log)) timer = setInterval(() => tick(log), 1000);
  markRead();
};

const drawBelow = () => {
  render(fresh ? html`<button class="button below" @click=${() => (current().later ? openChannel(state.channel) : toEnd())}>${sayMany("{n} new below", "{n} new below", fresh)}</button>` : nothing, below);
};

const fetchMore = async (frame) => {
  if (fetching) return;
  fetching = true;
  following = false;
  await ask({ channel: state.channel, ...frame }).catch(() => {}); // the page says by itself that the table is away
  fetching = false;
};
const older = () => fetchMore({ t: "older", before: current().messages[0].id });
const newer = () => fetchMore({ t: "newer", after: current().messages.at(-1).id });

// Open a channel at its end, or at a message, unless somebody opens another one before it is there.
export const openChannel = async (id, around) => {
  wanted = id;
  document.body.classList.remove("menu-open");
  const channelLog = state.logs.get(id), { unread, read } = state.channels.get(id);
  if (!channelLog || channelLog.later || around) await ask({ t: "open", channel: id, ...(around ? { around } : {}) });
  else if (unread) channelLog.readTo = read;
  if (wanted !== id) return;
  state.channel = id;
  [following, fresh, top] = [!around, 0, 0];
  history.replaceState(null, "", `#${id}`);
  drawLog();
  changed();
  const message = around && document.getElementById(`m${around}`);
  message?.scrollIntoView({ block: "center" });
  if (message) message.focus({ preventScroll: true });
  else focus();
};

log.addEventListener("scroll", () => {
  look();
  if (distance() <= NEAR_PX) following = true;
  if (following) fresh = 0;
  if (!current()) return;
  if (current().more && top < EARLY_PX && !following) older();
  drawBelow();
  markRead();
}, { passive: true });

// Stay at the end when any height changes.
const sizes = new ResizeObserver(() => following && current() && toEnd());
for (const element of [log, list]) sizes.observe(element);

// Copy the text as it was sent, without the drawings.
log.addEventListener("copy", (event) => {
  const part = getSelection().getRangeAt(0).cloneContents();
  if (!part.querySelector(".die")) return;
  for (const drawn of part.querySelectorAll("[aria-hidden]:not(.arrow), button")) drawn.remove();
  for (const block of part.querySelectorAll("p, div, li, small, h2, pre")) block.append("\n");
  event.clipboardData.setData("text/plain", part.textContent.replace(/\n\s+/g, "\n").trim());
  event.preventDefault();
});
for (const event of ["focus", "visibilitychange"]) addEventListener(event, markRead);
