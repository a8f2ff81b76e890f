// Dice above the line: one's latest rolls in this channel, or some to begin with.

import { html, nothing } from "./lit-html/lit-html.js";
import { coded, say } from "./say.js";
import { me, state } from "./state.js";

const MOST_AGAIN = 6;
const messages = () => state.logs.get(state.channel).messages;

// One's latest different rolls here: what was rolled elsewhere may be unknown in this channel.
const again = () => {
  const known = new Map();
  for (const { line, again: label } of messages().filter((message) => message.again).reverse())
    if (!known.has(label.toLowerCase())) known.set(label.toLowerCase(), { line, label });
  return [...known.values()].slice(0, MOST_AGAIN);
};

const starters = () => [
  ...Object.entries({ d20: "d20", adv: "d20 adv", "2d6": "2d6", d100: "d100" }).map(([label, dice]) => ({ label, line: `/roll ${dice}` })),
  { label: say("Game"), line: "/buttons" }, // the keys of the campaign's game
];
const welcome = () => html`<p class="welcome">${coded(say("Welcome, {name}. Press dice to roll them, or type `/` for more.", { name: me().name }))}</p>`;

const group = (name, look, offers, run) => html`<div class="again ${look}" role="group" aria-label=${name}>
  <span>${name}</span> ${offers.map(({ line, label }) => html`<button @click=${() => run(line)}>${label}</button>`)}
</div>`;

// Who has not rolled here yet finds dice to begin with, and a welcome if they have done nothing at all.
export const dice = (newcomer, run) => {
  const rolls = again();
  if (rolls.length) return group(say("Again"), "", rolls, run);
  return html`${newcomer && messages().length ? welcome() : nothing}${group(say("Dice"), "starters", starters(), run)}`;
};
