// The components of a bot's message: buttons, selects, texts, pictures, files, and their containers.

import { html, nothing } from "./lit-html/lit-html.js";
import { answerHandlers, openPicture, options, selectedValues } from "./forms.js";
import { blocks, emoji } from "./marks.js";
import { say } from "./say.js";
import { act } from "./socket.js";
import { state } from "./state.js";

export const busy = new Set(); // the pressed buttons: "message id:custom id"
export const sizeOf = (bytes) => (bytes < 1000 ? say("{size} B", { size: bytes }) : say("{size} kB", { size: Math.round(bytes / 1000) }));

const press = ({ id: message }, id, values) => {
  const key = `${message}:${id}`;
  if (busy.has(key)) return;
  busy.add(key);
  act({ t: "press", message, custom_id: id, ...(values ? { values } : {}) }, answerHandlers(() => busy.delete(key)));
};
const STYLES = ["", "primary", "secondary", "success", "danger"];
const waits = (message, id) => (busy.has(`${message.id}:${id}`) ? "true" : nothing);

const button = (message, { custom_id: id, style, label, emoji: sign, disabled }) => {
  const text = html`${sign ? emoji(sign) : nothing} ${label}`;
  return html`<button class="button ${STYLES[style]}" data-id=${id} ?disabled=${disabled} aria-busy=${waits(message, id)} @click=${() => press(message, id)}>${text}</button>`;
};

// A choice has its own button: arrow keys in a closed list would send each value they pass.
const select = (message, component) => {
  const { custom_id: id, placeholder, max_values: max, disabled } = component;
  const choose = (event) => {
    event.preventDefault();
    press(message, id, selectedValues(event.target.elements[0]));
  };
  const list = html`<select class="choice" aria-label=${placeholder || say("Choose")} ?multiple=${max > 1} ?disabled=${disabled}>${options(component)}</select>`;
  // A list of one choice shows its question as its first option; one of several has no room for it.
  return html`<form class="row" @submit=${choose}>
    ${max > 1 && placeholder ? html`<label class="choice-of"><small>${placeholder}</small>${list}</label>` : list}
    <button class="button" ?disabled=${disabled} aria-busy=${waits(message, id)}>${say("Choose")}</button>
  </form>`;
};

// A picture or another file of the message, or a link to an external one, which this page does not load.
export const file = ({ id, filename: name, size, description: alt, width, height, url: elsewhere }) => {
  if (elsewhere) return html`<a href=${elsewhere} target="_blank" rel="noopener noreferrer">${alt || elsewhere}</a>`;
  const url = `/s/${state.seat}/file/${id}/${name}`;
  if (width) return html`<button class="picture-button" data-id="picture:${id}" aria-label=${say("Open picture: {name}", { name: alt || name })} @click=${() => openPicture(url, name, alt)}><img src=${url} alt=${alt || name} width=${width} height=${height}></button>`;
  return html`<div class="wrap file"><strong>${name}</strong> <span class="soft">${sizeOf(size)}</span> <a class="button link" href=${url} download=${name} data-id="file:${id}" aria-label=${say("Download {name}", { name })}>${say("Download")}</a></div>`;
};

const DRAWN = {
  1: (message, { components }) => html`<div class="row">${parts(message, components)}</div>`,
  2: button,
  3: select,
  5: select,
  9: (message, { components, accessory }) => html`<div class="beside"><div>${parts(message, components)}</div>${parts(message, [accessory])}</div>`,
  10: (_, { kind, nodes }) => html`<div class="text ${kind}">${blocks(nodes)}</div>`,
  12: (_, { items }) => html`<div class="wrap">${items.map((item) => file(item.file))}</div>`,
  13: (_, { file: media }) => file(media),
  14: () => html`<hr>`,
  17: (message, { components, tone }) => html`<section class="box${tone ? ` tone-${tone}` : ""}">${parts(message, components)}</section>`,
};

export const parts = (message, components) => components.map((component) => DRAWN[component.type]?.(message, component) ?? nothing);
