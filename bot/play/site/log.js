// The conversation: which messages are drawn, and where the view stands while they come, change and go.

import { html, nothing, render } from "./lit-html/lit-html.js";
import { repeat } from "./lit-html/directives/repeat.js";
import { empty } from "./empty.js";
import { tick } from "./marks.js";
import { article, kept, messageKey } from "./message.js";
import { ask, isOpen, send } from "./socket.js";
import { apply, changed, here, later, state } from "./state.js";

const log = document.getElementById("log"), below = document.getElementById("below");
const NEAR_PX = 80;
let following = true, top = 0, fresh = 0, shown = null, timer = null, fetching = false;

const distance = () => log.scrollHeight - log.scrollTop - log.clientHeight;
const current = () => state.logs.get(state.channel);

export const toEnd = () => {
  following = true;
  log.scrollTop = log.scrollHeight;
};

// Somebody reads along: the page has the focus and shows the end of that channel.
export const watching = (channel) => document.hasFocus() && following && channel === state.channel && !current()?.later;

export const markRead = () => {
  const channel = here();
  if (!channel?.latest || !isOpen() || !watching(channel.id) || !(channel.unread || later(channel.latest, channel.read))) return;
  send({ t: "read", channel: channel.id, message: channel.latest });
  Object.assign(channel, { read: channel.latest, unread: 0, calls: 0 });
  changed();
};

// A new message: one's own line and its answer come into view, others are counted where they can't be seen.
export const arrived = (message) => {
  if (message.channel !== state.channel) return;
  if (message.author === state.you || message.asker === state.you) {
    if (current().later) openChannel(state.channel);
    else following = true;
  } else if (!following) fresh += 1;
};

// The first message in view and its place, so that nothing moves when others come above it.
const anchor = () => {
  const edge = log.getBoundingClientRect().top;
  const element = [...log.querySelectorAll(".message")].find((one) => one.getBoundingClientRect().bottom > edge);
  return { element, place: element?.getBoundingClientRect().top };
};

const settle = ({ element, place }) => {
  if (following) log.scrollTop = log.scrollHeight;
  else if (element?.isConnected) log.scrollTop += element.getBoundingClientRect().top - place;
};

const firstNew = (messages, readTo) =>
  readTo === undefined ? null : messages.find(({ id, author, asker }) => later(id, readTo) && author !== state.you && asker !== state.you)?.id;

export const drawLog = () => {
  const known = current();
  if (!known) return;
  const stay = following ? {} : anchor();
  const newFrom = firstNew(known.messages, known.readTo);
  const one = (message) => html`${message.id === newFrom ? html`<div class="new" role="separator">New</div>` : nothing}${kept(messageKey(message), () => article(message))}`;
  render(
    html`${known.more ? html`<button type="button" class="button older" @click=${older}>Older messages</button>` : nothing}
    ${known.messages.length || known.more ? repeat(known.messages, (message) => message.id, one) : empty()}
    ${known.later ? html`<button type="button" class="button older" @click=${newer}>Newer messages</button>` : nothing}`,
    log,
  );
  if (shown !== state.channel) {
    shown = state.channel;
    fresh = 0;
  }
  settle(stay);
  drawBelow();
  clearInterval(timer);
  if (tick(log)) timer = setInterval(() => tick(log), 1000);
  markRead();
};

const drawBelow = () => {
  const open = !following || current().later;
  const words = fresh ? `${fresh} new below` : "To the latest";
  const down = () => (current().later ? openChannel(state.channel) : (toEnd(), changed()));
  const far = fresh || current().later || distance() > 3 * log.clientHeight;
  render(open && far ? html`<button type="button" class="button below" @click=${down}>${words}</button>` : nothing, below);
};

const fetchMore = async (frame) => {
  if (fetching) return;
  fetching = true;
  try {
    const answer = await ask({ channel: state.channel, ...frame });
    const stay = anchor();
    following = false;
    drawLog();
    settle(stay);
    return answer;
  } catch {
    changed(); // the page says by itself that the table is away
  } finally {
    fetching = false;
  }
};
const older = () => fetchMore({ t: "older", before: current().messages[0].id });
const newer = () => fetchMore({ t: "newer", after: current().messages.at(-1).id });

// Open a channel at its end, or at a message.
export const openChannel = async (channel, around) => {
  document.body.classList.remove("menu-open");
  const known = state.logs.get(channel);
  if (!known || known.later || around) await ask({ t: "open", channel, ...(around ? { around } : {}) });
  else known.readTo = state.channels.get(channel).unread ? state.channels.get(channel).read : known.readTo;
  state.channel = channel;
  following = !around;
  fresh = 0;
  history.replaceState(null, "", `#${channel}`);
  drawLog();
  changed();
  const found = around && document.getElementById(`m${around}`);
  found?.scrollIntoView({ block: "center" });
  found?.focus({ preventScroll: true });
};

log.addEventListener("scroll", () => {
  // What grows below moves nothing: only who scrolls up has left the end.
  if (distance() <= NEAR_PX) following = true;
  else if (log.scrollTop < top) following = false;
  top = log.scrollTop;
  if (following) fresh = 0;
  if (current()?.more && log.scrollTop < 200 && !following) older();
  if (current()) drawBelow();
  markRead();
}, { passive: true });

// Whatever changes a height (a picture, a keyboard, a turned phone): who was at the end stays there.
const sizes = new ResizeObserver(() => following && (log.scrollTop = log.scrollHeight));
sizes.observe(log);
new MutationObserver(() => {
  sizes.disconnect();
  sizes.observe(log);
  for (const child of log.children) sizes.observe(child);
}).observe(log, { childList: true });

// What is copied is the text as it was sent: drawings for the eye are left out.
log.addEventListener("copy", (event) => {
  const part = getSelection().getRangeAt(0).cloneContents();
  if (!part.querySelector(".result")) return;
  for (const drawn of part.querySelectorAll("[aria-hidden], button")) drawn.remove();
  for (const block of part.querySelectorAll("p, div, li, small, h1, h2, h3, pre")) block.append("\n");
  event.clipboardData.setData("text/plain", part.textContent.replace(/\n\s+/g, "\n").trim());
  event.preventDefault();
});
for (const event of ["focus", "visibilitychange"]) addEventListener(event, markRead);
