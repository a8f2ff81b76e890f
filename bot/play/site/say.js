// Texts in the language of this page: whole sentences with named places and their values.

import { html } from "./lit-html/lit-html.js";

// English text to its translation; for a text with a plural its forms, and the index of each number's form.
let catalogue = { language: "en", languages: {}, texts: {}, counted: {} };
export const languages = () => catalogue.languages;
export const language = () => catalogue.language;

// Load the texts of the language that was chosen here, else the browser's, else the table's.
export const learn = async () => {
  catalogue = await fetch("/texts").then((answer) => answer.json()).catch(() => catalogue);
  document.documentElement.lang = catalogue.language;
};

// The language's code in a cookie, which the server reads too; "" is the browser's language.
export const chosenLanguage = () => /(?:^|; )language=([\w-]+)/.exec(document.cookie)?.[1] ?? "";
export const choose = (code) => {
  document.cookie = `language=${code}; path=/; samesite=lax; max-age=${code ? 31_536_000 : 0}`;
  return learn();
};

// The locale of numbers and times: the browser's own variant of the language, if it has one.
export const locale = () => navigator.languages.find((own) => own.split("-")[0] === catalogue.language.split("-")[0]) ?? catalogue.language;

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => (typeof values[name] === "number" ? values[name].toLocaleString(locale()) : values[name]));
export const say = (text, values = {}) => fill(catalogue.texts[text] ?? text, values);
export const sayMany = (singular, plural, n, values = {}) => {
  const [forms, indices] = catalogue.counted[singular] ?? [[singular, plural], "10"];
  return fill(forms[indices[n] ?? indices[100 + (n % 100)] ?? 1], { ...values, n });
};

// A sentence with the parts between backticks as code, or drawn by `piece`.
export const coded = (text, piece = (words) => html`<code>${words}</code>`) => text.split("`").map((part, at) => (at % 2 ? piece(part) : part));
