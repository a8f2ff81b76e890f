// The page's start: frames in, drawings out, F6 round the regions.

import { html, nothing, render } from "./lit-html/lit-html.js";
import { knock } from "./door.js";
import { field, focus } from "./focus.js";
import { drawLine, hints, refresh } from "./line.js";
import { drawLog, onMessage, openChannel, watching } from "./log.js";
import { showTheme } from "./manage.js";
import { learn, say } from "./say.js";
import { drawSide } from "./side.js";
import { connect } from "./socket.js";
import { apply, changed, drawWith, later, state } from "./state.js";

const [side, sheet, log, foot, door, menu] = ["side", "sheet", "log", "foot", "door", "menu"].map((id) => document.getElementById(id));
let begun = false;

const draw = () => {
  const sentence = state.away === "closed" ? say("The table is closed. This page comes back by itself.") : state.away;
  render(!sentence || sentence === "looking" ? nothing : html`<p class="closed" role="alert">${sentence}</p>`, door);
  if (!begun) return;
  for (const [region, name] of [[side, say("Channels and people")], [log, say("Conversation")], [menu, say("Message")]]) region.setAttribute("aria-label", name);
  drawSide();
  drawLine();
  drawLog();
};

const begin = () => {
  begun = true;
  side.hidden = sheet.hidden = false;
  draw();
  focus();
  const [channel, message] = location.hash.slice(1).split("/");
  if (message && channel === state.channel) openChannel(channel, message);
};

const hear = (frame) => {
  const previous = frame.t === "message" && state.channels.get(frame.message.channel)?.latest;
  apply(frame, watching);
  if (frame.t === "message" && later(frame.message.id, previous)) onMessage(frame.message);
  if (frame.t === "hints") hints(frame);
  if (frame.t === "welcome" && !begun) begin();
  if (begun && ["bot", "menus"].includes(frame.t)) refresh();
  changed();
};

addEventListener("keydown", (event) => {
  if (event.key !== "F6" || !begun) return;
  event.preventDefault();
  const at = [side, log, foot].findIndex((region) => region.contains(document.activeElement));
  [side.querySelector("[aria-current]"), log, field()].at((at + (event.shiftKey ? -1 : 1)) % 3).focus();
});

showTheme();
await learn();
if (state.seat) {
  drawWith(draw);
  connect(hear);
} else knock();
