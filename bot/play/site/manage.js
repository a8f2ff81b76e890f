// The table's own dialogs: channels, people, links to join, one's own seat.

import { html, nothing } from "./lit-html/lit-html.js";
import { answered, close, open, openForm } from "./forms.js";
import { copy } from "./message.js";
import { act, newNonce, request } from "./socket.js";
import { here, me, state, tell } from "./state.js";

const LACKS = { view: "View Channel", send: "Send Messages", attach: "Attach Files" };
const COLOURS = ["Lilac", "Blue", "Green", "Rose", "Teal", "Sand", "Pink", "Grey"];
const THEMES = { "light dark": "As the system", light: "Light", dark: "Dark" };

const text = (id, label, max, value = "", required = true) => ({ type: 4, custom_id: id, label, min_length: required ? 1 : 0, max_length: max, value, required });
const choice = (id, label, named, now) => ({ type: 3, custom_id: id, label, options: Object.entries(named).map(([value, word]) => ({ value, label: word, default: value === now })) });
const attempt = (what, values, then = close) => request(what, values).then(then, (error) => (close(), tell(error.message)));
const action = (word, press, style = "") => html`<button class="button ${style}" @click=${press}>${word}</button>`;
const actions = (...all) => html`<div class="wrap actions">${all}</div>`;
// What can't be taken back is asked for a second time, in place.
const sure = (word, again, press) => action(word, ({ currentTarget: it }) => (it.textContent === again ? press() : (it.textContent = again)), "danger");

// The new one is opened by `then`.
export const newPlace = (then) => {
  const parent = here().parent ?? (here().kind === "text" ? here().id : null);
  const kinds = { ...(me().gm ? { channel: "A channel" } : {}), ...(parent ? { thread: `A thread of #${state.channels.get(parent).name}` } : {}) };
  const [first] = Object.keys(kinds);
  if (!first) return tell("A thread is opened from within a channel.", "plain");
  const send = async ({ kind, name }) => {
    const asked = kind[0] === "thread" ? request("thread.create", { channel: parent, name }) : request("channel.create", { name, about: "" });
    await then((await asked).channel);
  };
  openForm({ title: "New channel or thread", fields: [choice("kind", "What", kinds, first), text("name", "Name", 40)], word: "Create", send });
};

export const editPlace = () => {
  const { id: channel, name, about, archived, bot_lacks: lacks } = here();
  const rights = Object.entries(LACKS).map(([id, right]) => ({ type: 23, custom_id: id, label: `Evenhand may: ${right}`, default: !lacks.includes(id) }));
  const send = (values) => request("channel.edit", { channel, name: values.name, about: values.about, lacks: Object.keys(LACKS).filter((right) => !values[right]) });
  const below = actions(
    action(archived ? "Bring it back" : "Archive it", () => attempt("channel.archive", { channel, archived: !archived })),
    sure("Clear all messages", "Really clear all", () => attempt("channel.clear", { channel })),
  );
  openForm({ title: `# ${name}`, fields: [text("name", "Name", 40, name), text("about", "What it is for", 200, about, false), ...rights], word: "Keep", send, below });
};

const span = (minutes) => (minutes < 120 ? `${minutes} minutes` : `${minutes / 60} hours`);
const showLink = (what, title, about, renew = false, others = nothing) =>
  attempt(what, renew ? { renew } : {}, ({ url, qr, minutes }) =>
    open(title, html`<div class="fields">
      <p>${about}${minutes ? ` It is good once, for ${span(minutes)}.` : nothing}</p>
      <input readonly aria-label="Link" .value=${url} @focus=${({ target }) => target.select()}>
      ${what === "link.person" ? nothing : html`<svg class="qr" role="img" aria-label="The link as a QR code" viewBox="0 0 ${qr.size} ${qr.size}"><path d=${qr.path} /></svg>`}
      ${actions(
        what === "link.person" ? html`<a class="button primary" href=${url} target="_blank" rel="noopener" @click=${close}>Open it here</a>` : nothing,
        action("Copy the link", ({ currentTarget: it }) => (copy(url, it.parentElement), (it.textContent = "Copied"), it.focus())),
        what === "link.player" ? sure("Make a new link", "Really? The old one ends", () => showLink(what, title, about, true, others)) : nothing,
        action("Close", close),
      )}
      ${others}
    </div>`));

// In a network the players' link and its code are there at once.
export const invite = () => {
  const person = action("Another person at this device", () => showLink("link.person", "Another person at this device", "A seat of its own in another tab of this browser."));
  const master = action("Link for a game master", () => showLink("link.gm", "Invite a game master", "Whoever opens this link sits down as a game master."));
  if (state.lan) return showLink("link.player", "Invite people", "Whoever opens this link sits down here.", false, actions(master, person));
  return open("Invite people", html`<div class="fields">
    <p class="soft">The table is open on this computer alone. <code>make play LAN=1</code> opens it to your network.</p>
    ${person} ${actions(action("Close", close))}
  </div>`);
};

// Light and dark follow the system, unless somebody chose one.
export const showTheme = () => (document.documentElement.style.colorScheme = localStorage.getItem("theme") ?? "light dark");

const myself = ({ id: person, name: known, color: now }) => {
  const fields = [text("name", "Name", 24, known), choice("color", "Colour", COLOURS, `${now}`), choice("theme", "Light or dark", THEMES, showTheme())];
  const send = async ({ name, color, theme }) => {
    localStorage.setItem("theme", theme[0]);
    showTheme();
    if (name !== known) await request("person.rename", { person, name });
    if (color[0] !== `${now}`) await request("person.color", { color: Number(color[0]) });
  };
  const device = () => showLink("link.device", "Another device", "Opens your own seat there.");
  const below = actions(menus(person), action("Another device", device), sure("Leave the table", "Really leave", () => attempt("leave")));
  openForm({ title: "You", fields, word: "Keep", send, below });
};

// The bot's own commands for a person.
const menus = (person) => state.person_menus.map((name) => action(name, () => (close(), act({ t: "menu", nonce: newNonce(), target: person, channel: state.channel, name }, answered()))));

export const openPerson = (one) => {
  const { id: person, name: known, gm } = one;
  if (person === state.you) return myself(one);
  if (!me().gm) return open(known, actions(menus(person), action("Close", close)));
  const below = actions(
    menus(person),
    action(gm ? "No longer game master" : "Make game master", () => attempt("person.gm", { person, gm: !gm })),
    sure("Remove from the table", "Really remove", () => attempt("person.remove", { person })),
  );
  openForm({ title: known, fields: [text("name", "Name", 24, known)], word: "Rename", send: ({ name }) => request("person.rename", { person, name }), below });
};
