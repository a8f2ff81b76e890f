// One message of the conversation, and its menu.

import { html, nothing, render } from "./lit-html/lit-html.js";
import { hexagon, icon, mark } from "./dice.js";
import { answered, chosen, openPicture, options } from "./forms.js";
import { blocks, clock, inline } from "./marks.js";
import { act, newNonce, send } from "./socket.js";
import { nameOf, state } from "./state.js";

const DAY = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const busy = new Set(); // the pressed buttons: "message id:custom id"
const menu = document.getElementById("menu");

// What a message's drawing depends on: it is the same object until the server replaces it.
export const messageKey = (message) => [message, state.look, [...busy].filter((key) => key.startsWith(message.id)).join()];

export const sizeOf = (bytes) => (bytes < 1000 ? `${bytes} B` : `${Math.round(bytes / 1000)} kB`);

const press = ({ id: message }, id, values) => {
  const key = `${message}:${id}`;
  if (busy.has(key)) return;
  busy.add(key);
  act({ t: "press", nonce: newNonce(), message, custom_id: id, ...(values ? { values } : {}) }, answered(() => busy.delete(key)));
};
const STYLES = ["", "primary", "secondary", "success", "danger"];
const waits = (message, id) => (busy.has(`${message.id}:${id}`) ? "true" : nothing);

const button = (message, { custom_id: id, style, label, emoji, disabled, url }) => {
  const text = html`${emoji?.id ? inline([{ n: "emoji", id: emoji.id, text: emoji.name }]) : emoji?.name} ${label}`;
  if (style === 5) return html`<a class="button link" href=${url} target="_blank" rel="noopener noreferrer">${text}</a>`;
  return html`<button class="button ${STYLES[style]}" ?disabled=${disabled} aria-busy=${waits(message, id)} @click=${() => press(message, id)}>${text}</button>`;
};

// A choice has its own button: arrow keys in a closed list would send each value they pass.
const select = (message, component) => {
  const { custom_id: id, placeholder, max_values: max, disabled } = component;
  const choose = (event) => {
    event.preventDefault();
    press(message, id, chosen(event.target.elements[0]));
  };
  return html`<form class="row" @submit=${choose}>
    <select class="choice" aria-label=${placeholder || "Choose"} ?multiple=${max > 1} ?disabled=${disabled}>${options(component)}</select>
    <button class="button" ?disabled=${disabled} aria-busy=${waits(message, id)}>Choose</button>
  </form>`;
};

const file = ({ id, filename: name, size, description: alt, width, height }) => {
  const url = `/s/${state.seat}/file/${id}/${name}`;
  if (width) return html`<button class="picture-button" aria-label="Open picture: ${alt || name}" @click=${() => openPicture(url, name, alt)}><img src=${url} alt=${alt || name} width=${width} height=${height}></button>`;
  return html`<div class="wrap file"><strong>${name}</strong> <span class="soft">${sizeOf(size)}</span> <a class="button link" href=${url} download=${name} aria-label="Download ${name}">Download</a></div>`;
};

const context = ({ kind, command, line, asker }) => {
  if (line || command) return html`<code>${line ?? command}</code>`;
  return kind === "reply" && asker ? html`<span>answers ${asker === state.you ? "you" : nameOf(asker)}</span>` : nothing;
};

const only = ({ id }) => html`<p class="wrap only"><strong>Only you can see this.</strong> <button class="quiet" @click=${() => send({ t: "dismiss", message: id })}>Dismiss</button></p>`;

// The number comes first; who rolled stands at the head already.
const isNumber = ([first]) => /^#\d/.test(first);
const notes = ({ margin, author, asker }) =>
  margin.filter(([first, ...rest]) => rest.length || first.n !== "user" || ![author, asker].includes(first.id)).sort((a, b) => isNumber(b) - isNumber(a));

export const article = (message) => {
  const { id, time, only_you: secret } = message;
  const author = state.people.get(message.author) ?? { name: "somebody", color: 7 };
  const today = new Date(time).toDateString() === new Date().toDateString();
  const margin = notes(message);
  return html`<article id="m${id}" class="message${secret ? " private" : ""}${margin.length ? " numbered" : ""}" aria-label="${author.name}, ${clock(time)}" tabindex="-1" @contextmenu=${(event) => openMenu(event, message)}>
    ${author.bot ? mark() : hexagon(author.name, author.color)}
    <div class="who"><strong>${author.name}</strong> ${context(message)} <time>${today ? "" : `${DAY.format(time)}, `}${clock(time)}</time></div>
    <div class="body">
      ${message.waiting ? html`<p class="working">Evenhand is working …</p>` : blocks(message.nodes)} ${message.files.map(file)} ${message.rows.map((parts) => html`<div class="row">${parts.map((part) => (part.type === 2 ? button : select)(message, part))}</div>`)}
      ${secret ? only(message) : nothing}
    </div>
    ${margin.length ? html`<ul class="margin">${margin.map((part) => html`<li class=${isNumber(part) ? "number" : nothing}>${inline(part)}</li>`)}</ul>` : nothing}
    <button class="square more" aria-label="More" aria-haspopup="menu" @click=${(event) => openMenu(event, message)}>${icon("more")}</button>
  </article>`;
};

// Without https there is no clipboard API: a field that is selected and copied works everywhere.
export const copy = (text, within = document.body) => {
  const field = within.appendChild(document.createElement("textarea"));
  field.value = text;
  field.select();
  document.execCommand("copy");
  field.remove();
};

const openMenu = (event, message) => {
  const { id, channel, text } = message, clicked = event.type === "click";
  if (!clicked && (event.target.closest("a, select") || !getSelection().isCollapsed)) return;
  event.preventDefault();
  const back = event.currentTarget.closest("article").querySelector(".more");
  const close = (then) => () => (menu.hidePopover(), back.focus({ preventScroll: true }), then());
  const item = (label, then) => html`<button role="menuitem" @click=${close(then)}>${label}</button>`;
  const run = (name) => act({ t: "menu", nonce: newNonce(), target: id, name }, answered());
  render([...state.menus.map((name) => item(name, () => run(name))), item("Copy text", () => copy(text)), item("Copy link", () => copy(`${location.origin}/#${channel}/${id}`))], menu);
  menu.showPopover();
  const { right: x, bottom: y } = clicked || !event.clientX ? back.getBoundingClientRect() : { right: event.clientX, bottom: event.clientY };
  menu.style.left = `${Math.max(8, Math.min(x, innerWidth - menu.offsetWidth - 8))}px`;
  menu.style.top = `${Math.max(8, Math.min(y, innerHeight - menu.offsetHeight - 8))}px`;
  menu.querySelector("button").focus();
};

menu.addEventListener("keydown", (event) => {
  const items = [...menu.children], step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  items.at((items.indexOf(document.activeElement) + step) % items.length).focus();
});
