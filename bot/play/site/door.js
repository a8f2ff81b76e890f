// The door: a link's secret and a name become a seat.

import { html, nothing, render } from "./lit-html/lit-html.js";
import { mark } from "./dice.js";
import { say } from "./say.js";
import { post } from "./socket.js";

const root = document.getElementById("door");
const WORDS = {
  first: () => say("You open this table, so you are its game master."),
  gm: () => say("This link makes you a game master here."),
  player: () => say("You are invited to this table."),
  person: () => say("Another person sits down at this device."),
};

const show = (title, content) => {
  document.title = title;
  render(html`<main class="door">${mark()}<h1>${title}</h1>${content}</main>`, root);
};
const refuse = (title, sentence) => show(title, html`<p role="alert">${sentence}</p>`);

export const knock = async () => {
  const fragment = location.hash.slice(1), isMessage = /^\d+\/\d+$/.test(fragment); // a link to a message holds no secret
  const secret = isMessage ? "" : fragment;
  const { table, seats, link, name, error } = await post("/api/enter", secret ? { secret } : {}).catch(({ message: text }) => ({ error: text }));
  if (error) return refuse("Evenhand", error);
  const go = (seat, rest = "") => location.replace(`/s/${seat}/${rest}`);
  const sit = async (values) => go((await post("/api/join", { secret, ...values })).seat);
  if (seats.length === 1 && !["person", "device"].includes(link)) return go(seats[0].seat, isMessage ? location.hash : "");
  if (link === "device") return sit({}).catch(({ message: text }) => refuse(table, text));
  const submit = (event) => {
    event.preventDefault();
    const field = event.target.elements.name;
    sit({ name: field.value }).catch(({ message: text }) => (ask(text), field.focus()));
  };
  const ask = (fault) => show(table, html`
    ${link === "person" ? nothing : seats.map((seat) => html`<a class="button" href="/s/${seat.seat}/">${say("Sit down as {name}", { name: seat.name })}</a>`)}
    ${link ? html`<form class="fields" @submit=${submit}>
      <p>${WORDS[link]()}</p>
      <label>${say("Your name")}<input name="name" type="text" value=${name} maxlength="24" required autocomplete="nickname" autocorrect="off"></label>
      ${fault ? html`<p class="fault" role="alert">${fault}</p>` : nothing}
      <button class="button primary">${say("Sit down")}</button>
    </form>` : seats.length ? nothing : html`<p>${secret ? say("This link does not work any more. Ask the game master for a new one.") : say("You need a link from the game master.")}</p>`}`);
  ask("");
  root.querySelector("input")?.select();
};
