// Dialogs: the bot's forms, the table's own, a picture alone; and what follows a line, a press or a form.

import { html, nothing, render } from "./lit-html/lit-html.js";
import { blocks } from "./marks.js";
import { act, newNonce } from "./socket.js";
import { changed, state, tell } from "./state.js";

const dialog = document.getElementById("dialog");
export const CUT = "The connection broke before the table took it. Send it again.";

export const close = () => dialog.close();

// Show `content` alone under a title; Esc closes it and gives the focus back.
export const open = (title, content, kind = "form") => {
  if (dialog.open) dialog.close();
  render(nothing, dialog);
  dialog.className = kind;
  render(html`<h2 id="dialog-title">${title}</h2>${content}`, dialog);
  dialog.showModal();
};

export const openPicture = ({ url, name, alt }) =>
  open(name, html`<img src=${url} alt=${alt || name} />
    <div class="actions"><p class="soft">${alt}</p><span class="actions"><a class="button link" href=${url} download=${name}>Download</a> <button type="button" class="button" @click=${close}>Close</button></span></div>`, "picture");

export const choices = ({ of: kind, options }) =>
  kind === "user" ? [...state.people.values()].filter((person) => !person.gone).map(({ id, name }) => ({ value: id, label: name })) : options;

const text = (field) => {
  const { id, value = "", placeholder = "", min = 0, max = 4000, required = false } = field;
  const common = { id: `field-${id}`, value, placeholder };
  if (field.long) return html`<textarea id=${common.id} name=${id} rows="4" placeholder=${placeholder} minlength=${min} maxlength=${max} ?required=${required} .value=${value}></textarea>`;
  return html`<input id=${common.id} name=${id} type="text" autocomplete="off" autocorrect="off" placeholder=${placeholder} minlength=${min} maxlength=${max} ?required=${required} .value=${value} />`;
};

const select = (field) => {
  const many = field.max_values > 1;
  return html`<select id="field-${field.id}" name=${field.id} ?multiple=${many} ?required=${field.required}>
    ${many ? nothing : html`<option value="">${field.placeholder || "Choose"}</option>`}
    ${choices(field).map(({ value, label, about, chosen }) => html`<option value=${value} ?selected=${chosen}>${about ? `${label}: ${about}` : label}</option>`)}
  </select>`;
};

const control = (field) => {
  if (field.kind === "check")
    return html`<label class="actions"><input type="checkbox" name=${field.id} ?checked=${field.value} /> <span>${field.label}</span></label>`;
  const limit = field.kind === "text" && field.max < 200 ? html`<small>At most ${field.max} characters</small>` : nothing;
  return html`<div class="label"><label for="field-${field.id}">${field.label}${field.required ? "" : html` <small>if you like</small>`}</label>
    ${field.about ? html`<small>${field.about}</small>` : nothing} ${field.kind === "select" ? select(field) : text(field)} ${limit}</div>`;
};

const read = (form, fields) =>
  Object.fromEntries(fields.map(({ id, kind }) => {
    const input = form.elements[id];
    if (kind === "check") return [id, input.checked];
    return [id, kind === "select" ? [...input.selectedOptions].map((option) => option.value).filter(Boolean) : input.value];
  }));

// Ask for `fields`. `send` takes their values and returns a promise; what was typed stays if it fails.
export const openForm = ({ title, fields, texts = [], word = "Send", send, below = nothing }) => {
  const submit = async (event) => {
    event.preventDefault();
    const form = event.target, alert = form.querySelector("[role=alert]"), button = form.querySelector(".primary");
    if (button.ariaBusy) return;
    button.ariaBusy = "true";
    alert.textContent = "";
    try {
      await send(read(form, fields));
      if (form.isConnected) close();
    } catch (error) {
      alert.textContent = error.message;
      const wrong = form.elements[error.field];
      wrong?.setAttribute("aria-invalid", "true");
      (wrong ?? form.querySelector("input, textarea, select"))?.focus();
    }
    button.ariaBusy = null;
  };
  open(title, html`<form @submit=${submit}>
      ${texts.map(blocks)} ${fields.map(control)}
      <p class="fault" role="alert"></p>
      <div class="actions"><button class="button primary">${word}</button> <button type="button" class="button" @click=${close}>Cancel</button></div>
    </form>${below}`);
  const first = dialog.querySelector("input, textarea, select");
  first?.focus();
  if (first?.type === "text") first.select();
};

const openModal = ({ id, title, fields, texts = [] }) => {
  const send = (values) =>
    new Promise((resolve, reject) => {
      const fail = (sentence, field) => reject(Object.assign(new Error(sentence), { field }));
      act({ t: "submit", nonce: newNonce(), modal: id, values }, {
        fault: (frame) => fail(frame.text, frame.field),
        done: (frame) => (frame.ok ? resolve() : fail(frame.text)),
        modal: (frame) => (resolve(), openModal(frame.modal)),
        cut: () => fail(CUT),
      });
    });
  openForm({ title, fields, texts, send });
};

// What follows a press, a menu command or a line: a sentence if it failed, a form if the bot asks for more.
export const answered = (after = () => {}) => {
  tell("");
  const end = (then) => (frame) => {
    after(frame);
    changed();
    then(frame);
  };
  return {
    fault: end((frame) => tell(frame.text)),
    done: end((frame) => frame.ok || tell(frame.text)),
    modal: end((frame) => openModal(frame.modal)),
    cut: end(() => tell(CUT)),
  };
};
