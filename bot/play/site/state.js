// What this page knows of the table. `apply` is the only place where frames of the server change it.

export const state = {
  epoch: null, last: null, seat: location.pathname.split("/")[2], table: "", lan: false, you: null, bot: null,
  people: new Map(), roles: new Map(), channels: new Map(), here: new Set(), menus: [], again: [], limits: {},
  channel: null, // the id of the open channel
  logs: new Map(), // channel id -> { messages (oldest first), more, later }
  typing: new Map(), // person id -> { channel, until }
  away: "", // why no socket is open: "" (it is), "looking", "closed" or a final sentence
  notice: null, // one quiet line at the composer: { text, tone }
  look: 0, // counts changes of names, so that messages are drawn anew
};

let draw = () => {}, due = false;
export const drawWith = (whole) => (draw = whole);
// Draw once for all changes of this turn.
export const changed = () => {
  if (due) return;
  due = true;
  queueMicrotask(() => {
    due = false;
    draw();
  });
};
export const tell = (text, tone = "bad") => {
  state.notice = text ? { text, tone } : null;
  changed();
};

// Snowflakes are strings of digits: a longer one is later.
export const later = (a, b) => a !== b && (b === null || a.length > b.length || (a.length === b.length && a > b));
export const me = () => state.people.get(state.you);
export const here = () => state.channels.get(state.channel);
export const nameOf = (id) => state.people.get(id)?.name ?? "somebody";
export const byId = (items) => new Map(items.map((item) => [item.id, item]));

const MOST_AGAIN = 6;

export const apply = (frame, watching = () => false) => {
  if (frame.e) state.last = frame.e;
  changes[frame.t]?.(frame, watching);
};

const changes = {
  welcome: (frame) => {
    const { epoch, last, table, lan, you, bot, menus, again, limits } = frame;
    Object.assign(state, { epoch, last, table, lan, you, bot, menus, again, limits, channel: frame.open.channel });
    state.people = byId(frame.people);
    state.roles = byId(frame.roles);
    state.channels = byId(frame.channels);
    state.here = new Set(frame.here);
    state.logs = new Map();
    state.look += 1;
    changes.opened(frame.open);
  },
  resumed: (frame) => {
    state.bot = frame.bot;
    state.here = new Set(frame.here);
  },
  opened: ({ channel, messages, more, later: afterwards = false }) => {
    const { read, unread } = state.channels.get(channel);
    state.logs.set(channel, { messages, more, later: afterwards, readTo: unread ? read : undefined });
  },
  older: ({ channel, messages, more }) => {
    const log = state.logs.get(channel);
    log.messages = [...messages, ...log.messages];
    log.more = more;
  },
  newer: ({ channel, messages, later: afterwards }) => {
    const log = state.logs.get(channel);
    log.messages = [...log.messages, ...messages];
    log.later = afterwards;
  },
  message: ({ message }, watching) => {
    const channel = state.channels.get(message.channel);
    const log = state.logs.get(message.channel);
    const place = log?.messages.findIndex((known) => known.id === message.id) ?? -1;
    if (place >= 0) log.messages[place] = message;
    if (!later(message.id, channel.latest)) return;
    const own = message.author === state.you || message.asker === state.you;
    if (place < 0 && log && !log.later) log.messages.push(message);
    if (own && log) log.readTo = undefined;
    else if (log && !channel.unread && !watching(message.channel)) log.readTo = channel.latest ?? "0";
    channel.latest = message.id;
    if (!own) channel.unread += 1;
    if (!own && message.calls_you) channel.calls += 1;
    if (message.again) repeat({ line: message.line, label: message.again });
    state.typing.delete(message.author);
  },
  gone: ({ channel, ids }) => {
    const log = state.logs.get(channel);
    if (log) log.messages = ids ? log.messages.filter((message) => !ids.includes(message.id)) : [];
  },
  person: ({ person }) => {
    state.people.set(person.id, person);
    state.look += 1;
  },
  channel: ({ channel }) => {
    state.channels.set(channel.id, channel);
    state.look += 1;
  },
  read: ({ channel, read, unread, calls }) => Object.assign(state.channels.get(channel), { read, unread, calls }),
  menus: ({ menus }) => {
    state.menus = menus;
    state.look += 1;
  },
  here: ({ ids }) => {
    state.here = new Set(ids);
  },
  typing: ({ channel, person }) => state.typing.set(person, { channel, until: Date.now() + 6000 }),
  bot: (frame) => {
    state.bot = { ...state.bot, state: frame.state };
  },
  notice: ({ text, tone }) => tell(text, tone),
  slow: ({ text }) => tell(text),
};

const repeat = (roll) => {
  state.again = [roll, ...state.again.filter((known) => known.line !== roll.line)].slice(0, MOST_AGAIN);
};
