// One message of the conversation: who, the command's name, its text, files and buttons, the margin, and its menu.

import { html, noChange, nothing, render } from "./lit-html/lit-html.js";
import { Directive, directive } from "./lit-html/directive.js";
import { hexagon, icon, mark } from "./dice.js";
import { answered, chosen, openPicture, options } from "./forms.js";
import { blocks, clock, inline } from "./marks.js";
import { nameOf, state } from "./state.js";
import { act, newNonce, send } from "./socket.js";

const DAY = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const busy = new Map(); // message id -> custom id of the pressed button

// Draw anew only what changed: a message is the same object until the server replaces it.
export const kept = directive(class extends Directive {
  render(key, make) {
    if (this.key?.every((part, place) => part === key[place])) return noChange;
    this.key = key;
    return make();
  }
});

export const messageKey = (message) => [message, state.look, busy.get(message.id)];

export const sizeOf = (bytes) => (bytes < 1000 ? `${bytes} B` : bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);

const press = (message, id, values) => {
  if (busy.has(message.id)) return;
  busy.set(message.id, id);
  const frame = { t: "press", nonce: newNonce(), message: message.id, id, ...(values ? { values } : {}) };
  act(frame, answered(() => busy.delete(message.id)));
};

const button = (message, { id, style, label, emoji, disabled, url }) => {
  const text = [emoji, label].filter(Boolean).join(" ");
  if (style === "link") return html`<a class="button link" href=${url} target="_blank" rel="noopener noreferrer">${text}</a>`;
  const waits = busy.get(message.id) === id;
  return html`<button type="button" class="button ${style}" ?disabled=${disabled} aria-busy=${waits ? "true" : nothing} @click=${() => press(message, id)}>${text}</button>`;
};

// A choice is sent by its own button: arrow keys in a closed list would send each value they pass.
const select = (message, component) => {
  const { id, placeholder, max, disabled } = component;
  const name = placeholder || "Choose";
  const choose = (event) => {
    event.preventDefault();
    press(message, id, chosen(event.target.elements[0]));
  };
  return html`<form class="row" @submit=${choose}>
    <select class="choice" aria-label=${name} ?multiple=${max > 1} ?disabled=${disabled}>${options(component, max < 2 && name)}</select>
    <button class="button" ?disabled=${disabled} aria-busy=${busy.get(message.id) === id ? "true" : nothing}>Choose</button>
  </form>`;
};

const row = (message, components) =>
  components[0]?.type === "select" ? select(message, components[0]) : html`<div class="row">${components.map((component) => button(message, component))}</div>`;

const file = (item) =>
  item.picture
    ? html`<button type="button" class="picture-button" aria-label=${`Open picture: ${item.alt || item.name}`} @click=${() => openPicture(item)}><img src=${item.url} alt=${item.alt || item.name} width=${item.width} height=${item.height} /></button>`
    : html`<div class="file"><strong>${item.name}</strong> <span class="soft">${sizeOf(item.size)}</span> <a class="button link" href=${item.url} download=${item.name} aria-label=${`Download ${item.name}`}>Download</a></div>`;

const context = ({ kind, command, line, asker, author }) => {
  if (line || command) return html`<code>${line ?? `/${command}`}</code>`;
  if (kind === "reply" && asker && asker !== author) return html`<span>answers ${asker === state.you ? "you" : nameOf(asker)}</span>`;
  return nothing;
};

const only = (message) => html`<p class="only"><strong>Only you can see this.</strong> <button type="button" class="quiet" @click=${() => send({ t: "dismiss", message: message.id })}>Dismiss</button></p>`;

const margin = (parts) => html`<ul class="margin">${parts.map((part) => html`<li class=${/^#\d/.test(part[0]) ? "number" : nothing}>${inline(part)}</li>`)}</ul>`;

// The number comes first; who rolled stands at the head already.
const ordered = (message) => {
  const parts = message.margin.filter((part) => !(part.length === 1 && part[0].n === "user" && part[0].id === message.author));
  return parts.sort((a, b) => /^#\d/.test(b[0]) - /^#\d/.test(a[0]));
};

export const article = (message) => {
  const author = state.people.get(message.author) ?? { name: "somebody", color: 7 };
  const today = new Date(message.time).toDateString() === new Date().toDateString();
  const notes = ordered(message);
  return html`<article id="m${message.id}" class="message${message.only_you ? " private" : ""}${notes.length ? " numbered" : ""}" aria-label="${author.name}, ${clock(message.time)}" tabindex="-1" @contextmenu=${(event) => openMenu(event, message)}>
    ${author.bot ? mark() : hexagon(author.name, author.color)}
    <div class="who"><strong>${author.name}</strong> ${context(message)} <time>${today ? "" : `${DAY.format(message.time)}, `}${clock(message.time)}</time>${message.edited && message.kind === "chat" ? " (edited)" : ""}</div>
    <div class="body">
      ${message.state === "working" ? html`<p class="working">Evenhand is working …</p>` : blocks(message.nodes)} ${message.files.map(file)} ${message.rows.map((components) => row(message, components))}
      ${message.only_you ? only(message) : nothing}
    </div>
    ${notes.length ? margin(notes) : nothing}
    <button type="button" class="square more" aria-label="More" aria-haspopup="menu" @click=${(event) => openMenu(event, message)}>${icon("more")}</button>
  </article>`;
};

const menuRoot = document.getElementById("menu");

// Without https there is no clipboard API: a field that is selected and copied works everywhere.
const copy = (text) => {
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
};

const openMenu = (event, message) => {
  const pressed = event.type === "click";
  if (!pressed && (event.target.closest("a, input, select") || !getSelection().isCollapsed)) return;
  event.preventDefault();
  const back = pressed ? event.currentTarget : event.currentTarget.querySelector(".more");
  const item = (label, act_) => html`<button type="button" role="menuitem" @click=${() => (menuRoot.hidePopover(), back.focus({ preventScroll: true }), act_())}>${label}</button>`;
  const run = (name) => act({ t: "menu", nonce: newNonce(), message: message.id, name }, answered());
  render(
    html`${state.menus.map((name) => item(name, () => run(name)))} ${item("Copy text", () => copy(message.text))}
    ${item("Copy link", () => copy(`${location.origin}/#${message.channel}/${message.id}`))}`,
    menuRoot,
  );
  menuRoot.showPopover();
  const at = pressed || !event.clientX ? back.getBoundingClientRect() : { right: event.clientX, bottom: event.clientY };
  menuRoot.style.left = `${Math.max(8, Math.min(at.right - menuRoot.offsetWidth * pressed, innerWidth - menuRoot.offsetWidth - 8))}px`;
  menuRoot.style.top = `${Math.max(8, Math.min(at.bottom, innerHeight - menuRoot.offsetHeight - 8))}px`;
  menuRoot.querySelector("button").focus();
};

menuRoot.addEventListener("keydown", (event) => {
  const items = [...menuRoot.querySelectorAll("button")];
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  items.at((items.indexOf(document.activeElement) + step) % items.length).focus();
});
