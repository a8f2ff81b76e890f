// The state of this page. Only `apply` changes it by frames.

import { say } from "./say.js";

export const state = {
  epoch: null, last: null, seat: location.pathname.split("/")[2], table: "", lan: false, you: null, bot: null,
  people: new Map(), roles: new Map(), channels: new Map(), here: new Set(), menus: [], person_menus: [],
  channel: location.hash.slice(1).split("/")[0] || null, // the id of the open channel
  logs: new Map(), // channel id -> { messages (oldest first), more, later, readTo (where *New* stands) }
  typing: new Map(), // person id -> { channel, until }
  away: "", // why no socket is open: "" (it is), "looking", "closed" or a final sentence
  notice: null, // one quiet line at the composer: { text, tone, dice (what a button rolls) }
  look: 0, // counts changes of names, so that messages are drawn again
};

let draw = () => {}, due = false, finger = false, lifted = null;
export const drawWith = (whole) => (draw = whole);
const drawDue = () => due && !finger && ((due = false), draw());
// Draw once for all changes of this turn.
export const changed = () => {
  if (!due) queueMicrotask(drawDue);
  due = true;
};
// Nothing moves under a finger: changes between its touch and its click are drawn after the click.
const letGo = () => ((finger = false), drawDue());
const letGoIn = (ms) => (clearTimeout(lifted), (lifted = setTimeout(letGo, ms)));
addEventListener("pointerdown", () => ((finger = true), letGoIn(10_000))); // some browsers send no pointerup on a scrollbar
addEventListener("pointerup", () => letGoIn(1000)); // a drag may end without a click
for (const event of ["click", "contextmenu", "pointercancel", "blur"]) addEventListener(event, letGo);
export const tell = (text, tone = "bad", dice = null) => {
  state.notice = text ? { text, tone, dice } : null;
  changed();
};

// Snowflakes are strings of digits: a longer one is later.
export const later = (a, b) => b === null || a.length > b.length || (a.length === b.length && a > b);
export const me = () => state.people.get(state.you);
export const currentChannel = () => state.channels.get(state.channel);
export const seated = () => [...state.people.values()].filter(({ bot, gone }) => !bot && !gone);
export const nameOf = (id) => state.people.get(id)?.name ?? say("somebody");
const byId = (items) => new Map(items.map((item) => [item.id, item]));

export const own = ({ author, asker }) => author === state.you || asker === state.you;

const TYPING_MS = 6000;

// Apply a frame. `watching` tells whether the person sees the end of a channel.
export const apply = (frame, watching) => {
  if (frame.e) state.last = frame.e;
  changes[frame.t]?.(frame, watching);
};

const extend = (channel, change) => {
  const log = state.logs.get(channel);
  Object.assign(log, change(log.messages));
};

const changes = {
  welcome: ({ t, open, people, roles, channels, here: present, ...rest }) => {
    Object.assign(state, rest, { people: byId(people), roles: byId(roles), channels: byId(channels), here: new Set(present) });
    Object.assign(state, { logs: new Map(), channel: open.channel, look: state.look + 1 });
    changes.opened(open);
  },
  resumed: ({ bot, menus, person_menus, here: present }) => Object.assign(state, { bot, menus, person_menus, here: new Set(present) }),
  opened: ({ channel, messages, more, later: afterwards = false }) => {
    const { read, unread } = state.channels.get(channel);
    state.logs.set(channel, { messages, more, later: afterwards, readTo: unread ? read : undefined });
  },
  older: ({ channel, messages, more }) => extend(channel, (current) => ({ messages: [...messages, ...current], more })),
  newer: ({ channel, messages, later: afterwards }) => extend(channel, (current) => ({ messages: [...current, ...messages], later: afterwards })),
  message: ({ message }, watching) => {
    const { id, author, calls_you: calls } = message;
    const channel = state.channels.get(message.channel), log = state.logs.get(message.channel);
    const place = log?.messages.findIndex((message) => message.id === id) ?? -1;
    if (place >= 0) log.messages[place] = message;
    if (!later(id, channel.latest)) return;
    if (log && place < 0 && !log.later) log.messages.push(message);
    if (own(message)) Object.assign(log ?? {}, { readTo: undefined });
    else {
      if (log && !channel.unread && !watching(channel.id)) log.readTo = channel.latest;
      channel.unread += 1;
      channel.calls += calls;
    }
    channel.latest = id;
    state.typing.delete(author);
  },
  gone: ({ channel, ids }) => {
    const log = state.logs.get(channel);
    if (log) log.messages = log.messages.filter(({ id }) => ids && !ids.includes(id));
  },
  person: ({ person }) => state.people.set(person.id, person) && (state.look += 1),
  channel: ({ channel }) => state.channels.set(channel.id, channel) && (state.look += 1),
  menus: ({ menus, person_menus }) => Object.assign(state, { menus, person_menus, look: state.look + 1 }),
  read: ({ channel, read, unread, calls }) => Object.assign(state.channels.get(channel), { read, unread, calls }),
  here: ({ ids }) => (state.here = new Set(ids)),
  typing: ({ channel, person }) => state.typing.set(person, { channel, until: Date.now() + TYPING_MS }) && setTimeout(changed, TYPING_MS),
  bot: ({ state: botState }) => (state.bot = { ...state.bot, state: botState }),
};
