// The side (channels, people) and the head.

import { html, nothing, render } from "./lit-html/lit-html.js";
import { hexagon, icon, mark } from "./dice.js";
import { drawEach } from "./each.js";
import { openChannel } from "./log.js";
import { editPlace, invite, newPlace, openPerson } from "./manage.js";
import { say, sayMany } from "./say.js";
import { currentChannel, me, seated, state, tell } from "./state.js";

const title = ({ kind, name }) => (kind === "alone" ? say("{name}, alone", { name }) : kind === "text" ? `# ${name}` : name);
const SIGNS = { text: "#", thread: "↳", alone: "◦" };
const side = document.getElementById("side"), head = document.getElementById("head");

const toggle = (visible) => {
  document.body.classList.toggle("menu-open", visible);
  (visible ? side.querySelector("[aria-current]") : head.querySelector(".menu-button"))?.focus();
};
side.addEventListener("keydown", ({ key }) => key === "Escape" && toggle(false));

const ordered = () => {
  const all = [...state.channels.values()].filter(({ archived, id }) => !archived || id === state.channel || me().gm);
  const roots = all.filter(({ kind }) => kind === "text").sort((a, b) => a.archived - b.archived);
  return [...roots.flatMap((root) => [root, ...all.filter(({ parent }) => parent === root.id)]), ...all.filter(({ kind }) => kind === "alone")];
};

const places = document.createElement("div"), persons = document.createElement("ul"), drawn = { places: new Map(), persons: new Map() };
const place = ({ id, kind, name, unread, archived }) => html`<button class="place ${kind}${unread ? " unread" : ""}" aria-current=${id === state.channel ? "page" : nothing}
  @click=${() => openChannel(id).catch((error) => tell(error.message))}>
  <span class="sign" aria-hidden="true">${SIGNS[kind]}</span> <span class="name">${kind === "alone" ? say("{name}, alone", { name }) : archived ? say("{name} (archived)", { name }) : name}</span>
  ${unread && id !== state.channel ? html`<span class="count" aria-label=${sayMany("{n} new", "{n} new", unread)}>${unread}</span>` : nothing}
</button>`;

const person = (somebody) => {
  const present = state.here.has(somebody.id);
  const inside = html`${hexagon(somebody.name, somebody.color)} <span class="name">${somebody.id === state.you ? say("{name}, you", somebody) : somebody.name} ${somebody.gm ? html`<span class="gm">${say("GM")}</span>` : nothing}</span>
    <span class="dot${present ? " here" : ""}" role="img" aria-label=${present ? say("here") : say("away")}></span>`;
  const kind = `person${present ? "" : " away"}`;
  return me().gm || somebody.id === state.you || state.person_menus[0] ? html`<button class=${kind} @click=${() => openPerson(somebody)}>${inside}</button>` : html`<div class=${kind}>${inside}</div>`;
};

export const drawSide = () => {
  const channel = currentChannel();
  const unread = [...state.channels.values()].reduce((sum, channel) => sum + channel.unread, 0);
  // Items keep their elements, so that a key pressed while the list changes reaches the focused one.
  drawEach(places, drawn.places, ordered(), () => [{}], place);
  drawEach(persons, drawn.persons, seated(), () => [{}], person, "li");
  document.title = `${unread ? `(${unread}) ` : ""}${title(channel)} · ${state.table}`;
  render(
    html`<div class="table-name">${mark()}<div><strong>${state.table}</strong><small>Evenhand</small></div><button class="square phone menu-close" aria-label=${say("Close the menu")} @click=${() => toggle(false)}>${icon("close")}</button></div>
    <section aria-label=${say("Channels")}>
      <div class="rubric"><h2>${say("Channels")}</h2><button class="square" aria-label=${say("New channel or thread")} @click=${() => newPlace(openChannel)}>${icon("plus")}</button></div>
      ${places}
    </section>
    <section class="people-here" aria-label=${say("At the table")}><div class="rubric"><h2>${say("At the table")}</h2>${me().gm ? html`<button class="square phone" aria-label=${say("Invite people")} @click=${invite}>${icon("plus")}</button>` : nothing}</div>${persons}</section>`,
    side,
  );
  render(
    html`<button class="square phone menu-button" aria-label=${say("Channels and people")} @click=${() => toggle(true)}>${icon("menu")}</button>
    <h1>${title(channel)}</h1>
    <p>${channel.about}</p>
    ${me().gm && channel.kind !== "alone" ? html`<button class="square" aria-label=${say("This channel")} @click=${editPlace}>${icon("more")}</button>` : nothing}
    ${me().gm ? html`<button class="button invite" @click=${invite}>${say("Invite people")}</button>` : nothing}
    <button class="phone" aria-label=${sayMany("{n} here", "{n} here", state.here.size)} @click=${() => toggle(true)}><span class="line"><span class="dot here"></span> ${state.here.size}</span></button>`,
    head,
  );
};
