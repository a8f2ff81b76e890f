// The table's own dialogs: channels, people, links to join, one's own seat.

import { html, nothing } from "./lit-html/lit-html.js";
import { answerHandlers, close, closer, open, openForm } from "./forms.js";
import { copy } from "./message.js";
import { choose, chosenLanguage, coded, languages, say, sayMany } from "./say.js";
import { act, hello, isOpen, request } from "./socket.js";
import { changed, currentChannel, me, state, tell } from "./state.js";

// Discord's names of the rights.
const lacks = () => ({ view: say("Evenhand may: View Channel"), send: say("Evenhand may: Send Messages"), attach: say("Evenhand may: Attach Files") });
const colours = () => [say("Lilac"), say("Blue"), say("Green"), say("Rose"), say("Teal"), say("Sand"), say("Pink"), say("Grey")];
const themes = () => ({ "light dark": say("As the system"), light: say("Light"), dark: say("Dark") });

const text = (id, label, max, value = "", required = true) => ({ type: 4, custom_id: id, label, min_length: required ? 1 : 0, max_length: max, value, required });
const choice = (id, label, offered, selected) => ({ type: 3, custom_id: id, label, options: Object.entries(offered).map(([value, word]) => ({ value, label: word, default: value === selected })) });
const attempt = (what, values, then, done = closer()) => request(what, values).then(then ?? done, (error) => (done(), tell(error.message)));
const action = (word, press, style = "") => html`<button class="button ${style}" @click=${press}>${word}</button>`;
const actions = (...all) => html`<div class="wrap actions">${all}</div>`;
// An irreversible action asks for a second press, in place.
const sure = (word, question, press) => action(word, ({ currentTarget: it }) => (it.textContent === question ? press() : (it.textContent = question)), "danger");

// `then` opens the new channel or thread.
export const newPlace = (then) => {
  const parent = currentChannel().parent ?? (currentChannel().kind === "text" ? currentChannel().id : null);
  const kinds = { ...(me().gm ? { channel: say("A channel") } : {}), ...(parent ? { thread: say("A thread of #{name}", state.channels.get(parent)) } : {}) };
  const [first] = Object.keys(kinds);
  if (!first) return tell(say("A thread is opened from within a channel."), "plain");
  const send = async ({ kind, name }) => {
    const creation = kind[0] === "thread" ? request("thread.create", { channel: parent, name }) : request("channel.create", { name, about: "" });
    await then((await creation).channel);
  };
  openForm({ title: say("New channel or thread"), fields: [choice("kind", say("Kind"), kinds, first), text("name", say("Name"), 40)], word: say("Create"), send });
};

export const editPlace = () => {
  const { id: channel, name, about, archived, bot_lacks: lacking } = currentChannel();
  const rights = Object.entries(lacks()).map(([id, label]) => ({ type: 23, custom_id: id, label, default: !lacking.includes(id) }));
  const send = (values) => request("channel.edit", { channel, name: values.name, about: values.about, lacks: Object.keys(lacks()).filter((right) => !values[right]) });
  const below = actions(
    action(archived ? say("Bring it back") : say("Archive it"), () => attempt("channel.archive", { channel, archived: !archived })),
    sure(say("Clear all messages"), say("Really clear all"), () => attempt("channel.clear", { channel })),
  );
  openForm({ title: `# ${name}`, fields: [text("name", say("Name"), 40, name), text("about", say("Topic"), 200, about, false), ...rights], word: say("Save"), send, below });
};

const span = (minutes) =>
  minutes < 120
    ? sayMany("It is good once, for {n} minute.", "It is good once, for {n} minutes.", minutes)
    : sayMany("It is good once, for {n} hour.", "It is good once, for {n} hours.", minutes / 60);
const showLink = (what, title, about, renew = false, others = nothing) =>
  attempt(what, renew ? { renew } : {}, ({ url, qr, minutes }) =>
    open(title, html`<div class="fields">
      <p>${about} ${minutes ? span(minutes) : nothing}</p>
      <input readonly aria-label=${say("Link")} .value=${url} @focus=${({ target }) => target.select()}>
      ${what === "link.person" ? nothing : html`<svg class="qr" role="img" aria-label=${say("The link as a QR code")} viewBox="0 0 ${qr.size} ${qr.size}"><path d=${qr.path} /></svg>`}
      ${actions(
        what === "link.person" ? html`<a class="button primary" href=${url} target="_blank" rel="noopener" @click=${close}>${say("Open it here")}</a>` : nothing,
        action(say("Copy the link"), ({ currentTarget: it }) => (copy(url, it.parentElement), (it.textContent = say("Copied")), it.focus())),
        what === "link.player" ? sure(say("Make a new link"), say("Really? The old one ends"), () => showLink(what, title, about, true, others)) : nothing,
        action(say("Close"), close),
      )}
      ${others}
    </div>`));

// In a network the dialog shows the players' link and its code at once.
export const invite = () => {
  const person = action(say("Another person at this device"), () => showLink("link.person", say("Another person at this device"), say("A seat of its own in another tab of this browser.")));
  const master = action(say("Link for a game master"), () => showLink("link.gm", say("Invite a game master"), say("Whoever opens this link sits down as a game master.")));
  if (state.lan) return showLink("link.player", say("Invite people"), say("Whoever opens this link sits down here."), false, actions(master, person));
  return open(say("Invite people"), html`<div class="fields">
    <p class="soft">${coded(say("The table is open on this computer alone. `make play LAN=1` opens it to your network."))}</p>
    ${person} ${actions(action(say("Close"), close))}
  </div>`);
};

// Light or dark follows the system, unless one was chosen.
export const showTheme = () => (document.documentElement.style.colorScheme = localStorage.getItem("theme") ?? "light dark");

const myself = ({ id: person, name: oldName, color: oldColor }) => {
  const oldLanguage = chosenLanguage() || "auto";
  const fields = [
    text("name", say("Name"), 24, oldName),
    choice("color", say("Colour"), colours(), `${oldColor}`),
    choice("theme", say("Light or dark"), themes(), showTheme()),
    choice("language", say("Language"), { auto: say("As the browser"), ...languages() }, oldLanguage),
  ];
  const send = async ({ name, color, theme, language }) => {
    localStorage.setItem("theme", theme[0]);
    showTheme();
    if (name !== oldName) await request("person.rename", { person, name });
    if (color[0] !== `${oldColor}`) await request("person.color", { color: Number(color[0]) });
    if (language[0] === oldLanguage) return;
    await choose(language[0].replace("auto", ""));
    if (isOpen()) hello();
    state.look += 1;
    changed();
  };
  const device = () => showLink("link.device", say("Another device"), say("Opens your own seat there."));
  const below = actions(menus(person), action(say("Another device"), device), sure(say("Leave the table"), say("Really leave"), () => attempt("leave")));
  openForm({ title: say("You"), fields, word: say("Save"), send, below });
};

// The bot's own commands for a person.
const menus = (person) => state.person_menus.map(({ name, label }) => action(label, () => (close(), act({ t: "menu", target: person, channel: state.channel, name }, answerHandlers()))));

export const openPerson = (somebody) => {
  const { id: person, name: oldName, gm } = somebody;
  if (person === state.you) return myself(somebody);
  if (!me().gm) return open(oldName, actions(menus(person), action(say("Close"), close)));
  const below = actions(
    menus(person),
    action(gm ? say("No longer game master") : say("Make game master"), () => attempt("person.gm", { person, gm: !gm })),
    sure(say("Remove from the table"), say("Really remove"), () => attempt("person.remove", { person })),
  );
  openForm({ title: oldName, fields: [text("name", say("Name"), 24, oldName)], word: say("Rename"), send: ({ name }) => request("person.rename", { person, name }), below });
};
