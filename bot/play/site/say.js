// What people read, in the language of this page: whole sentences with named places, and a value for each.

import { html } from "./lit-html/lit-html.js";

// Translations by their English sentences; of one that counts its forms, and which of them each number takes.
let told = { language: "en", languages: {}, texts: {}, counted: {} };
export const languages = () => told.languages;
export const language = () => told.language;

// Learn the texts of the language that the server finds: what was chosen here, else the browser's, else the table's.
export const learn = async () => {
  told = await fetch("/texts").then((answer) => answer.json()).catch(() => told);
  document.documentElement.lang = told.language;
};

// A cookie, so that the server knows it too; "" is as the browser has it.
export const chosen = () => /(?:^|; )language=([\w-]+)/.exec(document.cookie)?.[1] ?? "";
export const choose = (code) => {
  document.cookie = `language=${code}; path=/; samesite=lax; max-age=${code ? 31_536_000 : 0}`;
  return learn();
};

// How numbers and times are written: as in the browser's own kind of the language, if it has one.
export const locale = () => navigator.languages.find((own) => own.split("-")[0] === told.language.split("-")[0]) ?? told.language;

const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => (typeof values[name] === "number" ? values[name].toLocaleString(locale()) : values[name]));
export const say = (text, values = {}) => filled(told.texts[text] ?? text, values);
export const sayMany = (one, more, n, values = {}) => {
  const [forms, places] = told.counted[one] ?? [[one, more], "10"];
  return filled(forms[places[n] ?? places[100 + (n % 100)] ?? 1], { ...values, n });
};

// A sentence with what stands between backticks as it is typed, or in keys.
export const coded = (text, piece = (one) => html`<code>${one}</code>`) => text.split("`").map((part, at) => (at % 2 ? piece(part) : part));
