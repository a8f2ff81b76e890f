// One message of the conversation, and its menu.

import { html, nothing, render } from "./lit-html/lit-html.js";
import { hexagon, icon, mark } from "./dice.js";
import { answerHandlers } from "./forms.js";
import { blocks, clock } from "./marks.js";
import { busy, file, parts } from "./parts.js";
import { locale, say } from "./say.js";
import { act, send } from "./socket.js";
import { state } from "./state.js";

const day = (time) => new Intl.DateTimeFormat(locale(), { day: "numeric", month: "short" }).format(time);
const menu = document.getElementById("menu");
const INSIDE = 8; // pixels, enough for its round corners

// The key of a message's drawing: its object, which changes only when the server replaces it, and its busy buttons.
export const messageKey = (message) => [message, state.look, [...busy].filter((key) => key.startsWith(message.id)).join()];

const context = ({ kind, command, line }) => {
  if (kind === "reply" && command && !command.startsWith("/")) return html`<span>${say("pressed {button}", { button: command })}</span>`;
  return line || command ? html`<code>${line ?? command}</code>` : nothing;
};
const more = ({ command }, name, time) =>
  command?.startsWith("/") ? say("More on {name}’s {command}, {time}", { name, command: command.split(" ").at(-1).replace("/", ""), time }) : say("More on {name}’s message, {time}", { name, time });

const only = ({ id }) => html`<p class="wrap only"><strong>${say("Only you can see this.")}</strong> <button class="quiet" @click=${() => send({ t: "dismiss", message: id })}>${say("Dismiss")}</button></p>`;

// Consecutive chat lines of a person stand under one head.
const TOGETHER_MS = 7 * 60_000;
export const joins = (message, before) =>
  before?.kind === "chat" && message.kind === "chat" && before.author === message.author && message.time - before.time < TOGETHER_MS;

export const article = (message, joined) => {
  const { id, time, only_you: secret } = message;
  const author = state.people.get(message.author) ?? { name: say("somebody"), color: 7 };
  const today = new Date(time).toDateString() === new Date().toDateString();
  return html`<article id="m${id}" class="message${secret ? " private" : ""}${joined ? " joined" : ""}" aria-label="${author.name}, ${clock(time)}" tabindex="-1" @contextmenu=${(event) => openMenu(event, message)}>
    ${author.bot ? mark() : hexagon(author.name, author.color)}
    <div class="who"><strong>${author.name}</strong> ${context(message)} <time>${today ? "" : `${day(time)}, `}${clock(time)}</time></div>
    <div class="body">
      ${message.waiting ? html`<p class="working">${say("Evenhand is working …")}</p>` : blocks(message.nodes)} ${message.files.map(file)} ${parts(message, message.components)}
      ${secret ? only(message) : nothing}
    </div>
    <button class="square more" aria-label=${more(message, author.name, clock(time))} aria-haspopup="menu" @click=${(event) => openMenu(event, message)}>${icon("more")}</button>
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
  const run = (name) => act({ t: "menu", target: id, name }, answerHandlers());
  render([...state.menus.map(({ name, label }) => item(label, () => run(name))), item(say("Copy text"), () => copy(text)), item(say("Copy link"), () => copy(`${location.origin}/#${channel}/${id}`))], menu);
  menu.showPopover();
  // Under the pointer, not beside it: a button released outside of the menu closes it.
  const { right: x, bottom: y } = clicked || !event.clientX ? back.getBoundingClientRect() : { right: event.clientX - INSIDE, bottom: event.clientY - INSIDE };
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
