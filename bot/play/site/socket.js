// The connection to the server: frames, requests, and deeds (lines, presses, forms).

import { language, say } from "./say.js";
import { state, tell } from "./state.js";

const FIRST_MS = 500, GROWTH = 1.6, MOST_MS = 5000, CLOSED_MS = 60_000;
const FINAL = {
  4001: () => say("This seat is gone. Ask the game master for a new link."),
  4002: () => say("This seat is open on too many pages. Close one, then load this page again."),
};
const pending = new Map(); // n -> { resolve, reject }
const deeds = new Map(); // nonce -> the handlers of the deed's frames
let socket = null, counter = 0, pause = FIRST_MS, lost = null, hear = () => {};

export const isOpen = () => socket?.readyState === WebSocket.OPEN && !state.away;

export const connect = (listener) => {
  hear = listener;
  const url = new URL(`/s/${state.seat}/socket`, location.href);
  url.protocol = url.protocol.replace("http", "ws");
  socket = new WebSocket(url);
  socket.onopen = hello;
  socket.onmessage = ({ data }) => take(JSON.parse(data));
  socket.onclose = ({ code }) => close(code);
};

const take = (frame) => {
  if (frame.t === "welcome" || frame.t === "resumed") {
    state.away = "";
    lost = null;
    pause = FIRST_MS;
  }
  const waiting = pending.get(frame.n);
  pending.delete(frame.n);
  if (frame.t === "error") return waiting ? waiting.reject(new Error(frame.text)) : tell(frame.text);
  hear(frame);
  waiting?.resolve(frame);
  const deed = deeds.get(frame.nonce);
  deed?.[frame.t]?.(frame);
  if (["fault", "done", "modal"].includes(frame.t)) deeds.delete(frame.nonce);
};

const close = (code) => {
  lost ??= Date.now();
  state.away = FINAL[code]?.() ?? (Date.now() - lost > CLOSED_MS ? "closed" : "looking");
  for (const { reject } of pending.values()) reject(new Error(say("The table does not answer.")));
  for (const deed of deeds.values()) deed.cut?.();
  pending.clear();
  deeds.clear();
  hear({ t: "away" });
  if (FINAL[code]) return;
  setTimeout(() => connect(hear), pause);
  pause = Math.min(pause * GROWTH, MOST_MS);
};

export const send = (frame) => socket.send(JSON.stringify(frame));
// Start or resume: the last event that was received, and the language to continue in.
export const hello = () => send({ t: "hello", epoch: state.epoch, last: state.last, channel: state.channel, language: language() });

// A number for a request, which its answers carry.
export const newNumber = () => (counter += 1);

// Send a request; return a promise of the answer's frame, or of an error with its sentence.
export const ask = (frame) => {
  if (!isOpen()) return Promise.reject(new Error(say("The table does not answer.")));
  const n = newNumber();
  send({ ...frame, n });
  return new Promise((resolve, reject) => pending.set(n, { resolve, reject }));
};

export const request = (what, values) => ask({ t: "do", what, ...values });

export const newNonce = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");

// Send a deed; `steps` are called with its frames: receipt, fault, done, modal; and cut, if the socket breaks.
export const act = (frame, steps, nonce = newNonce()) => {
  if (!isOpen()) return steps.cut?.();
  deeds.set(nonce, steps);
  send({ ...frame, nonce });
};

// Post to the server; return a promise of its answer, or of an error with its sentence.
export const post = async (path, body) => {
  const form = body instanceof FormData;
  const headers = { "X-Table": "1", ...(form ? {} : { "Content-Type": "application/json" }) };
  const response = await fetch(path, { method: "POST", headers, body: form ? body : JSON.stringify(body) }).catch(() => {
    throw new Error(say("The table does not answer."));
  });
  const text = await response.text();
  const answer = text ? JSON.parse(text) : {};
  if (response.ok) return answer;
  throw new Error(answer.error ?? say("The table refused that."));
};

// Upload a file for a later line or form; return a promise of its id, name and size.
export const upload = (file) => {
  const form = new FormData();
  form.append("file", file);
  return post(`/s/${state.seat}/upload`, form);
};
