// Drawings; screen readers get the text beside them.

import { html, nothing, svg } from "./lit-html/lit-html.js";

const PIPS = { 1: [4], 2: [2, 6], 3: [2, 4, 6], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };
const FATE = { "-1": "M9 16H23", 0: "", 1: "M9 16H23M16 9V23" };
const OUTLINES = {
  4: "16,2.5 30,27.5 2,27.5",
  8: "16,1.5 29.5,16 16,30.5 2.5,16",
  10: "16,2 28.5,12 28.5,20 16,30 3.5,20 3.5,12",
  12: "16,2 30,12.5 24.7,29 7.3,29 2,12.5",
  20: "16,1.5 28.6,8.7 28.6,23.3 16,30.5 3.4,23.3 3.4,8.7",
};
const FACETS_20 = "M16 6.5 25.5 22H6.5ZM16 1.5V6.5M28.6 8.7 25.5 22 28.6 23.3M3.4 8.7 6.5 22 3.4 23.3M16 30.5 25.5 22M16 30.5 6.5 22M3.4 8.7 16 6.5 28.6 8.7";

const outline = (sides) => {
  if (sides === 6 || sides === "F") return svg`<rect class="bone" x="2.5" y="2.5" width="27" height="27" rx="6" />`;
  const points = OUTLINES[sides === 100 ? 10 : sides];
  return points ? svg`<polygon class="bone" points=${points} />` : svg`<circle class="bone" cx="16" cy="16" r="13.5" />`;
};

const pip = (place) => svg`<circle class="pip" cx=${9 + (place % 3) * 7} cy=${9 + Math.floor(place / 3) * 7} r="2.6" />`;

// A die that shows `text`: "17", or "5→1" for a rerolled die, in a wider chip.
export const die = ({ sides, text, wide = false, dropped = false, success = false }) => {
  const state = `${dropped ? " dropped" : ""}${success ? " success" : ""}`;
  if (wide || text.length > 3) return html`<span class="chip${state}" aria-hidden="true">${text}</span>`;
  const pips = sides === 6 && !dropped && PIPS[text], fate = sides === "F" && text in FATE;
  const low = sides === 4 ? 24 : sides === 12 ? 22 : 20.5;
  const figure = svg`<text class=${text.length > 2 ? "figure long" : "figure"} x="16" y=${low}>${text}</text>`;
  return html`<svg class="die${state}" viewBox="0 0 32 32" aria-hidden="true">
    ${outline(sides)} ${sides === 20 && !dropped ? svg`<path class="facet" d=${FACETS_20} />` : nothing}
    ${dropped ? svg`<path class="bar" d="M5 24.5 27 7.5" />` : nothing} ${pips ? pips.map(pip) : fate ? svg`<path class="fate" d=${FATE[text]} />` : figure}
  </svg>`;
};

// A person: an outlined hexagon with an initial, in one of eight colours.
export const hexagon = (name, colour) => html`<svg class="hexagon person-${colour}" viewBox="0 0 34 34" aria-hidden="true">
  <polygon points="17,1.5 30.5,9.2 30.5,24.8 17,32.5 3.5,24.8 3.5,9.2" />
  <text x="17" y="22">${[...name.toUpperCase()][0]}</text>
</svg>`;

// The mark: an equals sign in a rounded square.
export const mark = () => html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
  <rect x="3" y="3" width="26" height="26" rx="7" />
  <path d="M10 12.5H22M10 19.5H22" />
</svg>`;

const ICONS = {
  menu: "M4 6H20M4 12H20M4 18H14",
  plus: "M12 4V20M4 12H20",
  send: "M12 19V5M5.5 11.5 12 5 18.5 11.5",
  more: "M4.5 12H5.5M11.5 12H12.5M18.5 12H19.5",
  close: "M6 6 18 18M18 6 6 18",
};

export const icon = (name) => html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${ICONS[name]} /></svg>`;
