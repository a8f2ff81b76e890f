// Dialogs: the bot's forms, the table's own, and a picture; and the handlers of a deed's answer.

import { html, nothing, render } from "./lit-html/lit-html.js";
import { remember } from "./focus.js";
import { say } from "./say.js";
import { act } from "./socket.js";
import { changed, seated, tell } from "./state.js";

const dialog = document.getElementById("dialog");
const cutOff = () => say("The connection broke before the table took it. Send it again.");

export const close = () => dialog.close();
let restoreFocus = () => {};
dialog.addEventListener("close", () => restoreFocus());

// A function that closes the dialog that is open now, and no later one.
export const closer = (title = dialog.firstElementChild) => () => title?.isConnected && close();

// Show `content` in the dialog under a title; Esc closes it and restores the focus.
export const open = (title, content, kind = "") => {
  if (dialog.open) close();
  restoreFocus = remember();
  render(nothing, dialog);
  dialog.className = kind;
  render(html`<h2 id="dialog-title">${title}</h2>${content}`, dialog);
  dialog.showModal();
};

export const openPicture = (url, name, alt) =>
  open(name, html`<img src=${url} alt=${alt || name}><p class="soft">${alt}</p>
    <div class="wrap actions"><a class="button link" href=${url} download=${name}>${say("Download")}</a> <button class="button" @click=${close}>${say("Close")}</button></div>`, "picture");

const people = (chosen = []) => seated().map(({ id, name }) => ({ value: id, label: name, default: chosen.some((person) => person.id === id) }));

// The options of a select, of people (type 5) or its own; a single choice has a placeholder first.
export const options = ({ type, options: offered, default_values: chosen, max_values: max, placeholder }) => html`${max > 1 ? nothing : html`<option value="">${placeholder || say("Choose")}</option>`}
  ${(type === 5 ? people(chosen) : offered).map(({ value, label, description, default: selected }) => html`<option value=${value} ?selected=${selected}>${description ? `${label}: ${description}` : label}</option>`)}`;
export const selectedValues = (select) => [...select.selectedOptions].map(({ value }) => value).filter(Boolean);

// A field in Discord's JSON (4 is text, long with style 2), or a checkbox (23).
const control = (field) => {
  const { type, custom_id: id, style, value, placeholder, min_length: min = 0, max_length: max = 4000, required = true } = field;
  if (type === 23) return html`<input type="checkbox" name=${id} ?checked=${field.default}>`;
  if (type !== 4) return html`<select name=${id} ?multiple=${field.max_values > 1} ?required=${required}>${options(field)}</select>`;
  if (style === 2) return html`<textarea name=${id} rows="4" placeholder=${placeholder ?? ""} minlength=${min} maxlength=${max} ?required=${required} .value=${value ?? ""}></textarea>`;
  return html`<input name=${id} type="text" autocomplete="off" autocorrect="off" placeholder=${placeholder ?? ""} minlength=${min} maxlength=${max} ?required=${required} .value=${value ?? ""}>`;
};

// Radio buttons (21).
const boxes = ({ custom_id: id, options: offered, required = true }) =>
  offered.map(({ value, label, description, default: selected }) => html`<label><input type="radio" name=${id} value=${value} ?checked=${selected} ?required=${required}><span>${label} ${description ? html`<small>${description}</small>` : nothing}</span></label>`);

const labelled = (field) => {
  const { type, label, description, required = true } = field;
  const notes = [required || type === 23 ? "" : say("If you like."), description].filter(Boolean).join(" ");
  const about = notes ? html`<small>${notes}</small>` : nothing;
  return type === 21 ? html`<fieldset><legend>${label}</legend>${about} ${boxes(field)}</fieldset>` : html`<label>${label} ${about} ${control(field)}</label>`;
};

const valueOf = (form, { type, custom_id: id }) => {
  const inputs = [...form.elements].filter(({ name }) => name === id), [input] = inputs;
  if (type === 21) return inputs.filter(({ checked }) => checked).map(({ value }) => value);
  return type === 23 ? input.checked : input.selectedOptions ? selectedValues(input) : input.value;
};

// Open a form of `fields`. `send` takes their values and returns a promise; the form stays open if it fails.
export const openForm = ({ title, fields, word = say("Send"), send, below = nothing }) => {
  const submit = async (event) => {
    event.preventDefault();
    const form = event.target, alert = form.querySelector("[role=alert]"), button = form.querySelector(".primary"), done = closer();
    if (button.ariaBusy) return;
    button.ariaBusy = "true";
    alert.textContent = "";
    try {
      await send(Object.fromEntries(fields.map((field) => [field.custom_id, valueOf(form, field)])));
      done();
    } catch (error) {
      alert.textContent = error.message;
      form.querySelector("input, textarea, select")?.focus();
    }
    button.ariaBusy = null;
  };
  open(title, html`<form class="fields" @submit=${submit}>
      ${fields.map(labelled)}
      <p class="fault" role="alert"></p>
      <div class="wrap actions"><button class="button primary">${word}</button> <button type="button" class="button" @click=${close}>${say("Cancel")}</button></div>
    </form>${below}`);
  const all = [...dialog.querySelectorAll("input, textarea, select")];
  (all.find(({ name, checked }) => checked && name === all[0].name) ?? all[0])?.focus();
};

const openModal = ({ id, title, fields }) => {
  const send = (values) =>
    new Promise((resolve, reject) => {
      const fail = ({ text }) => reject(new Error(text));
      const done = (frame) => (frame.ok ? resolve() : fail(frame));
      act({ t: "submit", modal: id, values }, { fault: fail, done, cut: () => fail({ text: cutOff() }) });
    });
  openForm({ title, fields, send });
};

// The handlers of the answer to a press, a menu command or a line: show an error, or the bot's form.
export const answerHandlers = (after = () => {}) => {
  tell("");
  const then = (next) => (frame) => {
    after(frame);
    changed();
    next(frame);
  };
  return {
    fault: then(({ text }) => tell(text)),
    done: then(({ ok, text }) => ok || tell(text)),
    modal: then(({ modal }) => openModal(modal)),
    cut: then(() => tell(cutOff())),
  };
};
