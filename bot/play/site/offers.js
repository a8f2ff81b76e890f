// Dice above the composer: the person's latest rolls in this channel, and some to begin with.

import { html, nothing } from "./lit-html/lit-html.js";
import { coded, say } from "./say.js";
import { me, own, state } from "./state.js";

const MOST = 6;
const messages = () => state.logs.get(state.channel).messages;

// The person's latest different rolls in this channel; rolls of other channels may be unknown in it.
const recentRolls = () => {
  const rolls = new Map();
  for (const { line, again: label } of messages().filter((message) => message.again).reverse())
    if (!rolls.has(label.toLowerCase())) rolls.set(label.toLowerCase(), { line, label });
  return [...rolls.values()].slice(0, MOST);
};

const starters = () => [
  ...Object.entries({ d20: "d20", adv: "d20 adv", "2d6": "2d6", d100: "d100" }).map(([label, dice]) => ({ label, line: `/roll ${dice}` })),
  { label: say("Game"), line: "/buttons" }, // the keys of the campaign's game
];
const welcome = () => html`<p class="welcome">${coded(say("Welcome, {name}. Press dice to roll them, or type `/` for more.", { name: me().name }))}</p>`;

const group = (name, offers, run) => offers.length ? html`<div role="group" aria-label=${name}>
  <span>${name}</span> ${offers.map(({ line, label }) => html`<button @click=${() => run(line)}>${label}</button>`)}
</div>` : nothing;

// Repeat buttons, then dice as far as there is room; a welcome for a newcomer who has done nothing here yet.
export const dice = (newcomer, run) => {
  const rolls = recentRolls(), labels = rolls.map(({ label }) => label.toLowerCase());
  const others = starters().filter(({ line }) => !labels.includes(line.replace("/roll ", "")));
  return html`${newcomer && messages().length && !messages().some(own) ? welcome() : nothing}<div class="again ${rolls.length ? "" : "starters"}">
    ${group(say("Again"), rolls, run)} ${group(say("Dice"), others.slice(0, MOST - rolls.length), run)}
  </div>`;
};
