// Dice above the composer: the person's latest rolls in this channel, or some to begin with.

import { html, nothing } from "./lit-html/lit-html.js";
import { coded, say } from "./say.js";
import { me, state } from "./state.js";

const MOST_AGAIN = 6;
const messages = () => state.logs.get(state.channel).messages;

// The person's latest different rolls in this channel; rolls of other channels may be unknown in it.
const recentRolls = () => {
  const rolls = new Map();
  for (const { line, again: label } of messages().filter((message) => message.again).reverse())
    if (!rolls.has(label.toLowerCase())) rolls.set(label.toLowerCase(), { line, label });
  return [...rolls.values()].slice(0, MOST_AGAIN);
};

const starters = () => [
  ...Object.entries({ d20: "d20", adv: "d20 adv", "2d6": "2d6", d100: "d100" }).map(([label, dice]) => ({ label, line: `/roll ${dice}` })),
  { label: say("Game"), line: "/buttons" }, // the keys of the campaign's game
];
const welcome = () => html`<p class="welcome">${coded(say("Welcome, {name}. Press dice to roll them, or type `/` for more.", { name: me().name }))}</p>`;

const group = (name, look, offers, run) => html`<div class="again ${look}" role="group" aria-label=${name}>
  <span>${name}</span> ${offers.map(({ line, label }) => html`<button @click=${() => run(line)}>${label}</button>`)}
</div>`;

// Repeat buttons, or dice to begin with before the first roll here, with a welcome for a newcomer.
export const dice = (newcomer, run) => {
  const rolls = recentRolls();
  if (rolls.length) return group(say("Again"), "", rolls, run);
  return html`${newcomer && messages().length ? welcome() : nothing}${group(say("Dice"), "starters", starters(), run)}`;
};
