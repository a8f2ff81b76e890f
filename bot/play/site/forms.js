// Dialogs: the bot's forms, the table's own, a picture alone; and what follows a deed.

import { html, nothing, render } from "./lit-html/lit-html.js";
import { blocks } from "./marks.js";
import { say } from "./say.js";
import { act, upload } from "./socket.js";
import { changed, seated, tell } from "./state.js";

const dialog = document.getElementById("dialog");
const cutOff = () => say("The connection broke before the table took it. Send it again.");

export const close = () => dialog.close();

// What closes the dialog that is open now, and none that is opened later.
export const closing = (title = dialog.firstElementChild) => () => title?.isConnected && close();

// Show `content` alone under a title; Esc closes it and gives the focus back.
export const open = (title, content, kind = "") => {
  if (dialog.open) close();
  render(nothing, dialog);
  dialog.className = kind;
  render(html`<h2 id="dialog-title">${title}</h2>${content}`, dialog);
  dialog.showModal();
};

export const openPicture = (url, name, alt) =>
  open(name, html`<img src=${url} alt=${alt || name}><p class="soft">${alt}</p>
    <div class="wrap actions"><a class="button link" href=${url} download=${name}>${say("Download")}</a> <button class="button" @click=${close}>${say("Close")}</button></div>`, "picture");

const people = () => seated().map(({ id, name }) => ({ value: id, label: name }));

// The options of a select, of people (type 5) or as it says; where only one can be chosen, a word stands first.
export const options = ({ type, options: named, max_values: max, placeholder }) => html`${max > 1 ? nothing : html`<option value="">${placeholder || say("Choose")}</option>`}
  ${(type === 5 ? people() : named).map(({ value, label, description, default: now }) => html`<option value=${value} ?selected=${now}>${description ? `${label}: ${description}` : label}</option>`)}`;
export const chosen = (select) => [...select.selectedOptions].map(({ value }) => value).filter(Boolean);

// A field as Discord tells of it (text is 4, a long one of style 2; 19 takes files), or a box to tick (23).
const control = (field) => {
  const { type, custom_id: id, style, value, placeholder, min_length: min = 0, max_length: max = 4000, required = true } = field;
  if (type === 23) return html`<input type="checkbox" name=${id} ?checked=${field.default}>`;
  if (type === 19) return html`<input type="file" name=${id} ?multiple=${field.max_values > 1} ?required=${required}>`;
  if (type !== 4) return html`<select name=${id} ?multiple=${field.max_values > 1} ?required=${required}>${options(field)}</select>`;
  if (style === 2) return html`<textarea name=${id} rows="4" placeholder=${placeholder ?? ""} minlength=${min} maxlength=${max} ?required=${required} .value=${value ?? ""}></textarea>`;
  return html`<input name=${id} type="text" autocomplete="off" autocorrect="off" placeholder=${placeholder ?? ""} minlength=${min} maxlength=${max} ?required=${required} .value=${value ?? ""}>`;
};

// One of several (21) and some of several (22) are all in sight.
const boxes = ({ type, custom_id: id, options: named, required = true }) =>
  named.map(({ value, label, description, default: now }) => html`<label><input type=${type === 21 ? "radio" : "checkbox"} name=${id} value=${value} ?checked=${now} ?required=${type === 21 && required}><span>${label} ${description ? html`<small>${description}</small>` : nothing}</span></label>`);

const labelled = (field) => {
  const { type, label, description, nodes, required = true } = field;
  if (nodes) return html`<div class="body">${blocks(nodes)}</div>`;
  const notes = [required || type === 23 ? "" : say("If you like."), description].filter(Boolean).join(" ");
  const about = notes ? html`<small>${notes}</small>` : nothing;
  return type === 21 || type === 22 ? html`<fieldset><legend>${label}</legend>${about} ${boxes(field)}</fieldset>` : html`<label>${label} ${about} ${control(field)}</label>`;
};

const typed = (form, { type, custom_id: id }) => {
  const found = [...form.elements].filter(({ name }) => name === id), [input] = found;
  if (type === 19) return Promise.all([...input.files].map(async (file) => (await upload(file)).id));
  if (type === 21 || type === 22) return found.filter(({ checked }) => checked).map(({ value }) => value);
  return type === 23 ? input.checked : input.selectedOptions ? chosen(input) : input.value;
};

// Ask for `fields`. `send` takes their values and returns a promise; what was typed stays if it fails.
export const openForm = ({ title, fields, word = say("Send"), send, below = nothing }) => {
  const submit = async (event) => {
    event.preventDefault();
    const form = event.target, alert = form.querySelector("[role=alert]"), button = form.querySelector(".primary"), done = closing();
    if (button.ariaBusy) return;
    button.ariaBusy = "true";
    alert.textContent = "";
    try {
      const values = fields.filter((field) => field.custom_id).map(async (field) => [field.custom_id, await typed(form, field)]);
      await send(Object.fromEntries(await Promise.all(values)));
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

// What follows a press, a menu command or a line: a sentence if it failed, a form if the bot asks for more.
export const answered = (after = () => {}) => {
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
