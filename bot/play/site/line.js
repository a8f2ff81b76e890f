// The composer: its text field, completions, files, earlier lines, and unsent lines.

import { html, nothing, render } from "./lit-html/lit-html.js";
import { icon } from "./dice.js";
import { field } from "./focus.js";
import { answerHandlers } from "./forms.js";
import { dice } from "./offers.js";
import { sizeOf } from "./parts.js";
import { coded, locale, say, sayMany } from "./say.js";
import { act, isOpen, newNonce, newNumber, post, send, upload } from "./socket.js";
import { changed, currentChannel, nameOf, state, tell } from "./state.js";

const PAUSE_MS = 80, TAB_MS = 300, TYPING_MS = 3000, MOST_LINES = 50;
const NONE = { rows: [], hint: null, file: null, wait: false };
// Dice that were said: by another bot's command, or with a few words behind them that don't talk about dice.
const TALK = "is|are|was|were|has|have|isn't|ist|sind|est|sont|es|son|é|são";
const DICE = "\\d*d\\d+(?:[kd][hl]\\d*)?(?: ?[-+] ?\\d*d?\\d+)*", WORDS = `(?!.* (?:${TALK})(?: |$))(?: [-+]?[\\p{L}\\d'’]+){0,4}?`;
const ROLLED = new RegExp(`^(?:[!.]r(?:oll)? +(.{1,200})|(?:roll )?(${DICE}${WORDS})(?: please)?)$`, "iu");
const STORAGE_KEY = `lines-${state.seat}`;
const foot = document.getElementById("foot");
let past = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]"), step = -1; // the newest first
let list = NONE, head = "", marked = -1, request = null, pause = null, tab = null, typingSent = 0;
let files = [], unsent = []; // unsent: { nonce, channel, line, files }

const waiting = () => pause !== null || list.wait;
const open = () => list.rows.length > 0;

const write = (text, at = text.length) => {
  field().value = text;
  field().setSelectionRange(at, at);
};
const insert = (text) => field().setRangeText(text, field().selectionStart, field().selectionEnd, "end");

// Close the list; the hint stays, and a file still knows its option.
const hide = (rest = list) => {
  clearTimeout(pause);
  clearTimeout(tab);
  [list, request, pause, tab, marked] = [{ ...NONE, hint: rest.hint, file: rest.file }, null, null, null, -1];
  changed();
};
const forget = () => ((step = -1), hide(NONE));

// Put a refused line back into the field, or above it if something else was typed meanwhile.
const giveBack = (deed, at) => {
  if (field().value || files.length || deed.channel !== state.channel) return unsent.push(deed);
  files = deed.files;
  write(deed.line, [...deed.line].slice(0, at ?? Infinity).join("").length);
  field().focus();
};

const deliver = (deed) => {
  const onFailure = ({ t, ok, at }) => t !== "modal" && !ok && giveBack({ ...deed, nonce: newNonce() }, at);
  const receipt = () => (deed.taken = true);
  const cut = () => (deed.taken || unsent.push(deed), changed());
  act({ t: "line", channel: deed.channel, line: deed.line, files: deed.files.map(({ id }) => id) }, { ...answerHandlers(onFailure), receipt, cut }, deed.nonce);
};

const deed = (line, own = []) => ({ nonce: newNonce(), channel: state.channel, line, files: own });

// Run a line as if it were typed.
export const run = (line) => deliver(deed(line));

const submit = (event) => {
  event.preventDefault();
  const line = field().value, sent = deed(line, files);
  if (!line.trim() && !files.length) return;
  past = [line, ...past.filter((other) => other !== line)].slice(0, MOST_LINES);
  localStorage.setItem(STORAGE_KEY, JSON.stringify(past));
  write("");
  files = [];
  forget();
  deliver(sent);
  const rolled = ROLLED.exec(line.trim());
  if (rolled) tell(say("That was said, not rolled."), "plain", rolled[1] ?? rolled[2]);
  field().focus();
};

// Ask the server for completions. Its answers carry the request's number: only the latest counts.
const inquire = () => {
  if (!isOpen()) return forget();
  [pause, list, head] = [null, { ...list, wait: true }, field().value.slice(0, field().selectionStart)];
  request = newNumber();
  send({ t: "hints", n: request, channel: state.channel, head });
};

export const hints = (frame) => {
  if (frame.n !== request) return;
  // The bot's choices come in a second answer: a row marked meanwhile stays marked.
  marked = frame.rows.findIndex(({ label }) => label === list.rows[marked]?.label);
  list = frame;
  place();
  if (tab === "due" || (tab && !frame.wait)) tabNow();
};

const needsHints = () => /^\/|@/.test(field().value);
export const refresh = () => needsHints() && inquire();

const input = () => {
  clearTimeout(pause);
  clearTimeout(tab);
  [tab, marked] = [null, -1];
  if (state.notice) tell("");
  if (needsHints()) pause = setTimeout(inquire, PAUSE_MS);
  else forget();
  if (field().value && !field().value.startsWith("/") && Date.now() - typingSent > TYPING_MS && isOpen()) {
    typingSent = Date.now();
    send({ t: "typing", channel: state.channel });
  }
  changed();
};

const take = ({ text }) => {
  field().setRangeText(text, 0, head.length, "end");
  field().focus();
  clearTimeout(pause);
  inquire();
};

// Take the marked or first row; if there is none yet, the first one that arrives.
const tabNow = () => {
  clearTimeout(tab);
  tab = !open() && waiting() ? "due" : null;
  if (open()) take(list.rows[Math.max(marked, 0)]);
};

const move = (by) => {
  const most = list.rows.length;
  marked = marked < 0 && by < 0 ? most - 1 : (marked + by + most) % most;
  changed();
  queueMicrotask(() => foot.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }));
};

const recall = (by) => {
  if (step + by < -1 || step + by >= past.length) return;
  step += by;
  write(past[step] ?? "");
};

const keys = (event) => {
  const { key, shiftKey, isComposing, keyCode } = event, arrow = { ArrowDown: 1, ArrowUp: -1 }[key], forwards = key === "Tab" && !shiftKey;
  if (isComposing || keyCode === 229) return;
  if (key === "Enter" && marked >= 0) take(list.rows[marked]);
  else if (forwards && waiting()) {
    tab ??= setTimeout(tabNow, TAB_MS);
    if (pause !== null) (clearTimeout(pause), inquire());
  } else if (forwards && open()) tabNow();
  else if (key === "Escape" && (open() || waiting())) hide();
  else if (arrow && open()) move(arrow);
  else if (arrow && [undefined, "", past[step]].includes(field().value)) recall(-arrow);
  else return;
  event.preventDefault();
};

// Write a new file into the command's unused file option, if the newest completions have one.
const place = () => {
  const file = waiting() ? null : files.find(({ loose }) => loose);
  if (!file) return;
  file.loose = false;
  if (!list.file) return place();
  const before = field().value.slice(0, field().selectionStart);
  file.words = `${list.file}:${file.name} `;
  insert(`${/\S$/.test(before) ? " " : ""}${file.words}`);
  inquire();
};

const attach = async (items) => {
  for (const item of items) {
    const uploaded = await upload(item).catch((error) => tell(error.message));
    if (!uploaded) continue;
    files.push({ ...uploaded, loose: true });
    place();
  }
  field().focus();
  changed();
};

const detach = (file) => {
  files = files.filter((other) => other !== file);
  if (file.words) write(field().value.replace(file.words, ""));
  refresh();
  post(`/s/${state.seat}/drop`, { id: file.id }).catch((error) => tell(error.message));
  field().focus();
  changed();
};

const paste = (event) => {
  const { files: pasted } = event.clipboardData, text = event.clipboardData.getData("text/plain");
  if (!pasted.length && !/[\r\n]/.test(text)) return;
  event.preventDefault();
  if (pasted.length) return attach([...pasted]);
  insert(text.trim().replace(/\s*[\r\n]+\s*/g, " "));
  input();
};

const quietLine = () => {
  if (state.away) return state.away === "looking" ? say("The table does not answer. This page tries again by itself.") : "";
  if (state.bot.state === "coming") return say("Evenhand is coming back");
  const names = [...state.typing].filter(([, { channel, until }]) => channel === state.channel && until > Date.now()).map(([id]) => nameOf(id));
  return names.length ? sayMany("{names} is typing", "{names} are typing", names.length, { names: new Intl.ListFormat(locale()).format(names) }) : "";
};

const end = (sent, resend) => {
  unsent = unsent.filter((other) => other !== sent);
  if (resend) deliver(sent);
  changed();
};

const quiet = (word, name, press) => html`<button class="quiet" aria-label=${name} @click=${press}>${word}</button>`;

const rows = () => html`<div class="list" role="listbox" id="list" aria-label=${say("Suggestions")} ?hidden=${!open()}>
  ${list.rows.map((row, place) => html`<div role="option" id="row-${place}" aria-selected=${place === marked} @mousedown=${(event) => event.preventDefault()} @click=${() => take(row)}><b>${row.label}</b> <span>${row.about}</span></div>`)}
</div>`;

export const drawLine = () => {
  const { hint } = list, { notice } = state;
  render(
    html`<div class="typing" aria-live="polite">${quietLine()}</div>
    ${unsent.map((sent) => html`<div class="wrap attached" role="alert"><strong>${say("Not sent:")}</strong> <code>${sent.line}</code> ${quiet(say("Send again"), say("Send again {line}", sent), () => end(sent, true))} ${quiet(say("Forget it"), say("Forget {line}", sent), () => end(sent))}</div>`)}
    ${currentChannel().archived ? nothing : dice(!past.length, run)}
    <div class="over">${rows()}</div>
    ${files.map((file) => html`<div class="wrap attached"><strong>${file.name}</strong> <span class="soft">${sizeOf(file.size)}</span> ${quiet(say("Remove"), say("Remove {name}", file), () => detach(file))}</div>`)}
    <form class="composer" aria-label=${say("Message")} @submit=${submit}>
      <label class="square">${icon("plus")}<input class="unseen" type="file" aria-label=${say("Attach a file")} multiple @change=${({ target }) => attach([...target.files]).then(() => (target.value = ""))}></label>
      <input type="text" role="combobox" aria-label=${say("Message or command")} placeholder=${currentChannel().archived ? say("Archived") : say("Type / to roll")} autocomplete="off" autocorrect="off" autocapitalize="off" spellcheck="false" enterkeyhint="send"
        aria-autocomplete="list" aria-controls="list" aria-expanded=${open()} aria-activedescendant=${marked < 0 ? nothing : `row-${marked}`} aria-describedby="hint" ?disabled=${currentChannel().archived}
        @input=${input} @keydown=${keys} @paste=${paste} @click=${refresh} @blur=${() => open() && hide()}>
      <button class="square send" aria-label=${say("Send")}>${icon("send")}</button>
    </form>
    <div class="hint">${notice ? html`<p class=${notice.tone} role="alert">${notice.text} ${notice.dice ? quiet(say("Roll {dice}", notice), nothing, () => run(`/roll ${notice.dice}`)) : nothing}</p>` : nothing}
      <span id="hint" ?hidden=${notice}>${hint ? html`<strong>${hint.name}</strong> ${hint.about}` : nothing}</span> <span class="keys" aria-hidden="true">${coded(say("`Tab` takes · `Enter` sends"), (key) => html`<kbd>${key}</kbd>`)}</span></div>`,
    foot,
  );
};

addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  if (event.dataTransfer.files.length && state.you) attach([...event.dataTransfer.files]);
});
