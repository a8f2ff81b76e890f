// Lists whose items keep their elements: a focus stays where it is, whatever comes or goes around it.

import { render } from "./lit-html/lit-html.js";

// Draw `items` (each with an id) into `list`. `drawn` maps an id to { element, key }; an item is drawn anew only
// when its key has changed, and its element is moved only when its place has.
export const drawEach = (list, drawn, items, keyOf, draw, name = "div") => {
  const ids = new Set(items.map(({ id }) => id));
  for (const [id, { element }] of drawn) if (!ids.has(id)) (element.remove(), drawn.delete(id));
  items.forEach((item, place) => {
    const one = drawn.get(item.id) ?? { element: document.createElement(name), key: [] };
    const key = keyOf(item, place);
    if (key.some((part, at) => part !== one.key[at])) render(draw(item, place), one.element);
    drawn.set(item.id, Object.assign(one, { key }));
    if (list.children[place] !== one.element) list.insertBefore(one.element, list.children[place] ?? null);
  });
};
