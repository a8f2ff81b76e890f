// The table's own dialogs: channels and threads, people, links to join, one's own seat.

import { html, nothing } from "./lit-html/lit-html.js";
import { close, open, openForm } from "./forms.js";
import { openChannel } from "./log.js";
import { request } from "./socket.js";
import { here, me, state, tell } from "./state.js";

const NAME = { id: "name", label: "Name", kind: "text", min: 1, required: true };
const ABOUT = { id: "about", label: "What it is for", kind: "text", max: 200 };
const LACKS = { view: "View Channel", send: "Send Messages", attach: "Attach Files" };

const attempt = (what, values, then = close) => request(what, values).then(then, (error) => (close(), tell(error.message)));
const action = (word, press, style = "") => html`<button type="button" class="button ${style}" @click=${press}>${word}</button>`;
// What can't be taken back is asked for a second time, in place.
const sure = (word, again, press) => action(word, ({ currentTarget: it }) => (it.textContent === again ? press() : (it.textContent = again)), "danger");

export const newPlace = () => {
  const parent = here().parent ?? (here().kind === "text" ? here().id : null);
  const thread = parent && `A thread of #${state.channels.get(parent).name}`;
  const kinds = [me().gm && { value: "channel", label: "A channel" }, thread && { value: "thread", label: thread }].filter(Boolean);
  if (!kinds.length) return tell("A thread is opened from within a channel.", "plain");
  kinds[0].chosen = true;
  const fields = [{ id: "kind", label: "What", kind: "select", required: true, options: kinds }, { ...NAME, max: 100 }];
  const send = async ({ kind, name }) => {
    const made = kind[0] === "thread" ? await request("thread.create", { channel: parent, name }) : await request("channel.create", { name, about: "" });
    await openChannel(made.channel);
  };
  openForm({ title: "New channel or thread", fields, word: "Create", send });
};

export const editPlace = () => {
  const { id, name, about, archived, kind, bot_lacks: lacks } = here();
  const rights = Object.entries(LACKS).map(([right, label]) => ({ id: right, label: `Evenhand may: ${label}`, kind: "check", value: !lacks.includes(right) }));
  const fields = [{ ...NAME, value: name, max: 100 }, { ...ABOUT, value: about }, ...rights];
  const send = async (values) => {
    if (values.name !== name || values.about !== about) await request("channel.edit", { channel: id, name: values.name, about: values.about });
    const now = Object.keys(LACKS).filter((right) => !values[right]);
    if (now.join() !== lacks.join()) await request("channel.bot", { channel: id, lacks: now });
  };
  const below = html`<div class="actions more-actions">
    ${action(archived ? "Bring it back" : "Archive it", () => attempt("channel.archive", { channel: id, archived: !archived }))}
    ${sure("Clear all messages", "Really clear all", () => attempt("channel.clear", { channel: id }))}
  </div>`;
  openForm({ title: `${kind === "thread" ? "Thread" : "Channel"} ${name}`, fields, word: "Keep", send, below });
};

const link = ({ url, qr, minutes }, about) => html`<section>
  <p>${about}${minutes ? ` Good once, for ${minutes < 120 ? `${minutes} minutes` : `${minutes / 60} hours`}.` : nothing}</p>
  <input readonly aria-label="Link" .value=${url} @focus=${({ target }) => target.select()} />
  <svg class="qr" role="img" aria-label="The link as a QR code" viewBox="0 0 ${qr.size} ${qr.size}"><path d=${qr.path} /></svg>
</section>`;

const showLink = (what, title, about, values = {}) => attempt(what, values, (made) => open(title, html`${link(made, about)}<div class="actions">
  ${what === "link.players" ? sure("Make a new link", "Really? The old one ends", () => showLink(what, title, about, { renew: true })) : nothing}
  ${action("Close", close)}</div>`));

const device = () => showLink("link.device", "Another device", "Opens your own seat there.");

export const invite = () =>
  open("Invite people", html`<section>
    ${state.lan ? action("Link for players", () => showLink("link.players", "Invite players", "Whoever opens this link in your network sits down here."), "primary") : html`<p class="soft">The table is open on this computer alone. To let others in, start it with <code>make play LAN=1</code>.</p>`}
    ${state.lan ? action("Link for a game master", () => showLink("link.gm", "Invite a game master", "Whoever opens this link sits down as a game master.")) : nothing}
    ${action("Another person at this device", () => showLink("link.person", "Another person at this device", "Open this link in another tab of this browser: it is a second seat."))}
    ${action("Close", close)}
  </section>`);

const setTheme = (theme) => {
  localStorage.setItem("theme", theme);
  showTheme();
};

// Light and dark follow the system, unless somebody chose one.
export const showTheme = () => (document.documentElement.dataset.theme = localStorage.getItem("theme") ?? "system");

const options = (list, chosen) => list.map(([value, label]) => ({ value, label, chosen: value === chosen }));

const myself = (person) => {
  const colours = ["Lilac", "Blue", "Green", "Rose", "Teal", "Sand", "Pink", "Grey"].map((label, place) => [`${place}`, label]);
  const themes = [["system", "As the system"], ["light", "Light"], ["dark", "Dark"]];
  const fields = [
    { ...NAME, value: person.name, max: 24 },
    { id: "color", label: "Colour", kind: "select", required: true, options: options(colours, `${person.color}`) },
    { id: "theme", label: "Light or dark", kind: "select", required: true, options: options(themes, document.documentElement.dataset.theme) },
  ];
  const send = async ({ name, color, theme }) => {
    setTheme(theme[0]);
    if (name !== person.name) await request("person.rename", { person: person.id, name });
    if (color[0] !== `${person.color}`) await request("person.color", { color: Number(color[0]) });
  };
  const below = html`<div class="actions more-actions">${action("Another device", device)} ${sure("Leave the table", "Really leave", () => attempt("leave"))}</div>`;
  openForm({ title: "You", fields, word: "Keep", send, below });
};

export const openPerson = (person) => {
  if (person.id === state.you) return myself(person);
  const gm = !person.gm;
  const below = html`<div class="actions more-actions">
    ${action(gm ? "Make game master" : "No longer game master", () => attempt("person.gm", { person: person.id, gm }))}
    ${sure("Remove from the table", "Really remove", () => attempt("person.remove", { person: person.id }))}
  </div>`;
  const send = ({ name }) => request("person.rename", { person: person.id, name });
  openForm({ title: person.name, fields: [{ ...NAME, value: person.name, max: 24 }], word: "Rename", send, below });
};
