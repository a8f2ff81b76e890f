// The line: one plain text field, its list of suggestions, files, one's last lines, and what was not sent.

import { html, nothing, render } from "./lit-html/lit-html.js";
import { icon } from "./dice.js";
import { answered } from "./forms.js";
import { sizeOf } from "./message.js";
import { act, isOpen, newNonce, post, send } from "./socket.js";
import { changed, here, nameOf, state, tell } from "./state.js";

const PAUSE_MS = 80, TAB_MS = 300, TYPING_MS = 3000, MOST_LINES = 50;
const foot = document.getElementById("foot");
const KEPT = `lines-${state.seat}`;
let past = JSON.parse(localStorage.getItem(KEPT) ?? "[]"), step = -1; // the newest first
let rows = [], hint = null, fileOption = null, marked = -1, asked = 0, timer = null, pending = false, tabWaits = null, told = 0;
let files = [], unsent = []; // unsent: { nonce, line, files, channel }

export const field = () => foot.querySelector("input[type=text]");

const write = (text, at = text.length) => {
  field().value = text;
  field().setSelectionRange(at, at);
};

const remember = (line) => {
  past = [line, ...past.filter((known) => known !== line)].slice(0, MOST_LINES);
  localStorage.setItem(KEPT, JSON.stringify(past));
};

// What is not taken goes back into the field, if nothing else was typed meanwhile; else it waits above it.
const giveBack = (deed, at) => {
  if (field().value || files.length || deed.channel !== state.channel) return unsent.push(deed);
  files = deed.files;
  write(deed.line, at ?? deed.line.length);
  field().focus();
};

const deliver = (deed) => {
  const { nonce, channel, line } = deed;
  const back = (frame) => {
    if (frame?.t === "modal" || frame?.ok) return;
    if (frame) giveBack({ ...deed, nonce: newNonce() }, frame.at);
    else if (!deed.taken) unsent.push(deed);
  };
  const steps = answered(back);
  const cut = () => (deed.taken ? changed() : (back(), changed()));
  act({ t: "line", nonce, channel, line, files: deed.files.map(({ id }) => id) }, { ...steps, cut, receipt: () => (deed.taken = true) });
};

// Run a line as if it were typed.
export const run = (line) => deliver({ nonce: newNonce(), channel: state.channel, line, files: [] });

const submit = (event) => {
  event.preventDefault();
  const line = field().value;
  if (!line.trim() && !files.length) return;
  const deed = { nonce: newNonce(), channel: state.channel, line, files };
  if (line.trim()) remember(line);
  write("");
  files = [];
  forget();
  deliver(deed);
  field().focus();
};

const forget = () => {
  clearTimeout(timer);
  asked += 1;
  rows = [];
  [hint, fileOption, marked, pending, step] = [null, null, -1, false, -1];
  changed();
};

// Ask what could stand here. Answers carry the question's number: only the latest counts.
const inquire = () => {
  const { value: line, selectionStart: at } = field();
  if (!isOpen()) return forget();
  pending = true;
  asked += 1;
  send({ t: "hints", n: asked, channel: state.channel, line, at });
};

export const hints = (frame) => {
  if (frame.n !== asked) return;
  ({ rows, hint, file: fileOption, wait: pending } = frame);
  marked = -1;
  if (!pending && tabWaits) tabNow();
};

const wanted = (line) => line.startsWith("/") || line.includes("@");

const input = () => {
  const { value } = field();
  clearTimeout(timer);
  marked = -1;
  if (state.notice) tell("");
  if (!wanted(value)) forget();
  else {
    pending = true;
    timer = setTimeout(inquire, PAUSE_MS);
  }
  if (value && !value.startsWith("/") && Date.now() - told > TYPING_MS && isOpen()) {
    told = Date.now();
    send({ t: "typing", channel: state.channel });
  }
  changed();
};

const take = ({ text, from, to }) => {
  const { value } = field();
  write(value.slice(0, from) + text + value.slice(to), from + text.length);
  field().focus();
  inquire();
};

const tabNow = () => {
  clearTimeout(tabWaits);
  tabWaits = null;
  const row = rows[Math.max(marked, 0)];
  if (row) take(row);
};

const recall = (back) => {
  const next = step + (back ? 1 : -1);
  if (next < -1 || next >= past.length) return;
  step = next;
  write(past[step] ?? "");
  changed();
};

const keys = (event) => {
  const { key, shiftKey } = event;
  if (event.isComposing || event.keyCode === 229) return;
  const arrow = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (key === "Enter" && rows[marked]) take(rows[marked]);
  else if (key === "Tab" && !shiftKey && pending && wanted(field().value)) tabWaits ??= setTimeout(tabNow, TAB_MS);
  else if (key === "Tab" && !shiftKey && rows.length) tabNow();
  else if (key === "Escape" && (rows.length || pending)) forget();
  else if (arrow && rows.length) {
    marked = (Math.max(marked, arrow < 0 ? 0 : -1) + arrow + rows.length) % rows.length;
    changed();
    queueMicrotask(() => foot.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }));
  } else if (arrow && (!field().value || (step >= 0 && field().value === past[step]))) recall(arrow < 0);
  else return;
  event.preventDefault();
};

const attach = async (list) => {
  for (const item of list) {
    const form = new FormData();
    form.append("file", item);
    try {
      const kept = await post(`/s/${state.seat}/upload`, form);
      files.push(kept);
      if (fileOption) {
        const { value, selectionStart: at } = field();
        kept.words = `${at && value[at - 1] !== " " ? " " : ""}${fileOption}:${kept.write} `;
        write(value.slice(0, at) + kept.words + value.slice(at), at + kept.words.length);
        inquire();
      }
    } catch (error) {
      tell(error.message);
    }
  }
  field().focus();
  changed();
};

const detach = (file) => {
  files = files.filter((other) => other !== file);
  if (file.words) write(field().value.replace(file.words, ""));
  post(`/s/${state.seat}/drop`, { id: file.id }).catch((error) => tell(error.message));
  field().focus();
  changed();
};

const paste = (event) => {
  const { clipboardData: data } = event;
  const text = data.getData("text/plain");
  if (data.files.length) attach([...data.files]);
  else if (/[\r\n]/.test(text)) {
    const { selectionStart, selectionEnd } = field();
    field().setRangeText(text.trim().replace(/\s*[\r\n]+\s*/g, " "), selectionStart, selectionEnd, "end");
    input();
  } else return;
  event.preventDefault();
};

const typists = () => {
  const names = [...state.typing].filter(([, { channel, until }]) => channel === state.channel && until > Date.now()).map(([id]) => nameOf(id));
  return names.length ? `${new Intl.ListFormat("en").format(names)} ${names.length > 1 ? "are" : "is"} typing` : "";
};

const quietLine = () => {
  if (state.away === "looking") return "The table does not answer. This page tries again by itself.";
  return state.bot.state === "coming" ? "Evenhand is coming back" : typists();
};

const list = () => html`<div class="list" ?hidden=${!rows.length}>
  <div role="listbox" id="list" aria-label="Suggestions">
    ${rows.map((row, place) => html`<div role="option" id="row-${place}" aria-selected=${place === marked} @mousedown=${(event) => event.preventDefault()} @click=${() => take(row)}><b>${row.label}</b> <span>${row.about}</span></div>`)}
  </div>
</div>`;

const again = (deed) => {
  unsent = unsent.filter((other) => other !== deed);
  deliver(deed);
};
const drop = (deed) => {
  unsent = unsent.filter((other) => other !== deed);
  changed();
};

export const drawLine = () => {
  const channel = here();
  render(
    html`<div class="typing" aria-live="polite">${quietLine()}</div>
    ${unsent.map((deed) => html`<div class="attached" role="alert"><strong>Not sent:</strong> <code>${deed.line}</code> <button type="button" class="quiet" @click=${() => again(deed)}>Send again</button> <button type="button" class="quiet" @click=${() => drop(deed)}>Forget it</button></div>`)}
    ${state.again.length ? html`<div class="again" role="group" aria-label="Again"><span>Again</span> ${state.again.map(({ line, label }) => html`<button type="button" @click=${() => run(line)}>${label}</button>`)}</div>` : nothing}
    ${files.map((file) => html`<div class="attached"><strong>${file.name}</strong> <span class="soft">${sizeOf(file.size)}</span> <button type="button" class="quiet" aria-label=${`Remove ${file.name}`} @click=${() => detach(file)}>Remove</button></div>`)}
    <div class="over">${list()}</div>
    <form class="composer" aria-label="Message" @submit=${submit}>
      <label class="square" title="Attach a file">${icon("plus")}<input class="unseen" type="file" aria-label="Attach a file" multiple @change=${({ target }) => attach([...target.files]).then(() => (target.value = ""))} /></label>
      <input type="text" role="combobox" aria-label="Message or command" placeholder="Type / to roll, or say something" autocomplete="off" autocorrect="off" autocapitalize="off" spellcheck="false" enterkeyhint="send"
        aria-autocomplete="list" aria-controls="list" aria-expanded=${rows.length > 0} aria-activedescendant=${marked < 0 ? nothing : `row-${marked}`} aria-describedby="hint" ?disabled=${channel.archived}
        @input=${input} @keydown=${keys} @paste=${paste} @click=${() => wanted(field().value) && inquire()} @blur=${() => rows.length && forget()} />
      <button class="square send" aria-label="Send">${icon("send")}</button>
    </form>
    ${state.notice ? html`<p class=${state.notice.tone === "bad" ? "fault" : "hint"} role="alert">${state.notice.text}</p>` : nothing}
    <div class="hint"><span id="hint">${hint ? html`<strong>${hint.name}</strong> ${hint.about}` : nothing}</span> <span class="keys" aria-hidden="true"><kbd>Tab</kbd> takes · <kbd>Enter</kbd> sends</span></div>`,
    foot,
  );
};

addEventListener("drop", (event) => {
  event.preventDefault();
  if (event.dataTransfer?.files.length && field()) attach([...event.dataTransfer.files]);
});
addEventListener("dragover", (event) => event.preventDefault());
