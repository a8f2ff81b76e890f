// The door: a link's secret and a name become a seat; who has one already is led to it.

import { html, nothing, render } from "./lit-html/lit-html.js";
import { mark } from "./dice.js";
import { post } from "./socket.js";

const root = document.getElementById("door");
const show = (table, content) => render(html`<main class="door">${mark()}<h1>${table}</h1>${content}</main>`, root);
const go = (seat, fragment = "") => location.replace(`/s/${seat}/${fragment}`);

const WORDS = {
  first: "You open this table, so you are its game master.",
  gm: "This link makes you a game master here.",
  player: "You are invited to this table.",
  person: "Another person sits down at this device.",
};

export const knock = async () => {
  const fragment = location.hash.slice(1);
  const message = /^\d+\/\d+$/.test(fragment); // a link to a message, and no secret
  const secret = message ? "" : fragment;
  let entry;
  try {
    entry = await post("/api/enter", secret ? { secret } : {});
  } catch (error) {
    return show("Evenhand", html`<p role="alert">${error.message}</p>`);
  }
  const { table, seats, link, name } = entry;
  const sit = async (values) => go((await post("/api/join", { secret, ...values })).seat);
  if (seats.length === 1 && !["person", "device"].includes(link)) return go(seats[0].seat, message ? location.hash : "");
  document.title = table;
  if (link === "device") return sit({}).catch((error) => show(table, html`<p role="alert">${error.message}</p>`));
  const submit = async (event) => {
    event.preventDefault();
    const input = event.target.elements.name;
    try {
      await sit({ name: input.value });
    } catch (error) {
      ask(error.message);
      input.focus();
    }
  };
  const known = html`<p class="wrap actions">${seats.map((seat) => html`<a class="button" href="/s/${seat.seat}/">${seat.name}</a>`)}</p>`;
  const ask = (fault) => show(table, html`
    ${seats.length && link !== "person" ? html`<p>You have sat here before:</p>${known}` : nothing}
    ${link ? html`<form class="fields" @submit=${submit}>
      <p>${WORDS[link]}</p>
      <label>Your name<input name="name" type="text" value=${name} maxlength="24" required autocomplete="nickname" autocorrect="off" aria-invalid=${Boolean(fault)} /></label>
      ${fault ? html`<p class="fault" role="alert">${fault}</p>` : nothing}
      <button class="button primary">Sit down</button>
    </form>` : nothing}
    ${link || seats.length ? nothing : html`<p>${secret ? "This link does not work any more. Ask the game master for a new one." : "You need a link from the game master."}</p>`}`);
  ask("");
  root.querySelector("input")?.select();
};
