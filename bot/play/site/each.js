// Lists whose items keep their elements, so that the focus survives changes around it.

import { render } from "./lit-html/lit-html.js";

// Draw `items` (with ids) into `list`. `drawn` maps an id to { element, key }; an item is drawn again only if its
// key has changed, and its element is moved only if its index has.
export const drawEach = (list, drawn, items, keyOf, draw, name = "div") => {
  const ids = new Set(items.map(({ id }) => id));
  for (const [id, { element }] of drawn) if (!ids.has(id)) (element.remove(), drawn.delete(id));
  items.forEach((item, index) => {
    const entry = drawn.get(item.id) ?? { element: document.createElement(name), key: [] };
    const key = keyOf(item, index);
    if (key.some((part, i) => part !== entry.key[i])) render(draw(item, index), entry.element);
    drawn.set(item.id, Object.assign(entry, { key }));
    if (list.children[index] !== entry.element) list.insertBefore(entry.element, list.children[index] ?? null);
  });
};
