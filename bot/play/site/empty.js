// The empty table: three lines to begin with.

import { html, nothing } from "./lit-html/lit-html.js";
import { die, mark } from "./dice.js";
import { run } from "./line.js";
import { invite } from "./manage.js";
import { here, me, state } from "./state.js";

const STARTS = {
  roll: { sides: 6, show: "5", name: "Roll 2d6+3", about: "Plain dice, in the open", line: "/roll 2d6+3" },
  fair: { sides: 20, show: "20", name: "Make a fair roller", about: "2d6 whose luck evens out over the evening", line: "/roller fair name:Luck dice:2d6" },
  d100: { sides: 10, show: "00", name: "Roll a d100", about: "From six-sided dice, every result as likely", line: "/d100 roll" },
  check: { sides: 12, show: "7", name: "Call a check", about: "One message, everybody presses Roll", line: "/group call check:Perception dice:1d20" },
};

const start = ({ sides, show, name, about, line }) => html`<button class="line start" @click=${() => run(line)}>
  ${die({ sides, text: show })}<span><b>${name}</b> ${about} <code>${line}</code></span>
</button>`;

const lone = () => here().kind === "alone";
const unaccompanied = () => state.lan && me().gm && ![...state.people.values()].some(({ id, bot, gone }) => id !== state.you && !bot && !gone);

export const empty = () => html`<section class="empty" aria-label="How to begin">
  ${mark()}
  <h2>The table is laid.</h2>
  <p>Type <code>/</code> and roll, or begin with one of these. ${lone() ? "Here nobody but you sees it." : "Everybody who sits here sees it at once."}</p>
  ${(lone() ? [STARTS.roll, STARTS.fair, STARTS.d100] : [STARTS.roll, me().gm ? STARTS.fair : STARTS.d100, STARTS.check]).map(start)}
  ${unaccompanied() ? html`<p>Nobody else is here yet. <button @click=${invite}>Invite people</button> shows a link and a code to scan.</p>` : nothing}
</section>`;
