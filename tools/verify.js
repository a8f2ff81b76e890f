// The third verifier of Evenhand's histories, written from docs/format.md alone; numbers are its sections.
// An ES module without dependencies: verify(files, options) returns the verdict, and makes no request.

// The history does not hold at event number `seq`; a file can't be read; a rule is not implemented here.
class Broken extends Error {
  constructor(why, seq) { super(why); this.seq = seq; }
}
class Unreadable extends Error {}
class NotMadeAgain extends Error {}

function need(holds, why, seq) {
  if (!holds) throw new Broken(why, seq);
}

// ---- Bytes, SHA-256 and HMAC

const ENCODER = new TextEncoder(), DECODER = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const bytesOf = (text) => ENCODER.encode(text);
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (two) => parseInt(two, 16));
const base64 = (bytes) => btoa(String.fromCharCode(...bytes));
const isHash = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const ROUNDS = new Int32Array(64), START = new Int32Array(8), SCHEDULE = new Int32Array(64);
for (let number = 2, count = 0; count < 64; number += 1) {
  let least = 2;
  while (number % least) least += 1;
  if (least < number) continue;
  if (count < 8) START[count] = (number ** (1 / 2) * 2 ** 32) | 0;
  ROUNDS[count++] = (number ** (1 / 3) * 2 ** 32) | 0;
}

function joined(...parts) {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  parts.reduce((place, part) => { all.set(part, place); return place + part.length; }, 0);
  return all;
}

function sha256(...parts) {
  const message = joined(...parts), length = message.length;
  const data = joined(message, Uint8Array.of(0x80), new Uint8Array(63 - ((length + 8) & 63) + 8));
  const view = new DataView(data.buffer), state = START.slice();
  view.setUint32(data.length - 8, Math.floor(length / 2 ** 29));
  view.setUint32(data.length - 4, length << 3);
  const turned = (word, by) => (word >>> by) | (word << (32 - by)), w = SCHEDULE;
  for (let block = 0; block < data.length; block += 64) {
    for (let i = 0; i < 16; i += 1) w[i] = view.getInt32(block + 4 * i);
    for (let i = 16; i < 64; i += 1) {
      const x = w[i - 15], y = w[i - 2];
      w[i] = w[i - 16] + (turned(x, 7) ^ turned(x, 18) ^ (x >>> 3)) + w[i - 7] + (turned(y, 17) ^ turned(y, 19) ^ (y >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i += 1) {
      const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[i] + w[i]) | 0;
      const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g; g = f; f = e; e = (d + first) | 0; d = c; c = b; b = a; a = (first + second) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => { state[i] += word; });
  }
  const hash = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => hash.setInt32(4 * i, word));
  return new Uint8Array(hash.buffer);
}

// The key has 32 bytes.
function hmac(key, data) {
  const padded = (by) => Uint8Array.from({ length: 64 }, (_, i) => (key[i] ?? 0) ^ by);
  return sha256(padded(0x5c), sha256(padded(0x36), data));
}

// ---- 1.1 Canonical lines

export function canon(value, levels = 32) {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string" && !/\p{Surrogate}/u.test(value)) return JSON.stringify(value);
  if (Number.isSafeInteger(value)) return String(value);
  if (typeof value !== "object" || levels === 0) throw new Unreadable("it has a number, a text or a depth that the format does not have");
  if (Array.isArray(value)) return `[${value.map((item) => canon(item, levels - 1)).join(",")}]`;
  const keys = Object.keys(value).sort();
  if (!keys.every((key) => /^[a-z0-9_]+$/.test(key))) throw new Unreadable("it has a key that the format does not have");
  return `{${keys.map((key) => `"${key}":${canon(value[key], levels - 1)}`).join(",")}}`;
}

// Return the object on a line; refuse a line that is not canonical.
export function read(bytes) {
  if (bytes.length > LONGEST) throw new Unreadable("the line is longer than 1 MiB");
  if (bytes.at(-1) !== 10) throw new Unreadable("the line has no end: something was cut off");
  try {
    const text = DECODER.decode(bytes), value = JSON.parse(text.slice(0, -1));
    if (isObject(value) && text === `${canon(value)}\n`) return value;
  } catch { /* refused below */ }
  throw new Unreadable("it is not the one way to write an object");
}

const LONGEST = 2 ** 20;
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
const isText = (value) => typeof value === "string";
const isId = (value) => isText(value) && /^[1-9]\d{15,18}$/.test(value);
const isSalt = (value) => isText(value) && /^[0-9a-f]{32}$/.test(value);

// ---- 1.2 Fields and parts, 1.3 commitment and leaf

const PARTS = ["who", "words", "what", "how"];
const FIELDS = new Set(["seq", "kind", "see", "channel", "id", "part", "clock", "target", "pub", ...PARTS]);
const FIXED = new Set(["commit", "shown", "salt", "uncommit", "cut", "restored"]);
const KINDS = new Set([...FIXED, ...`roll make reset restart remove undo reveal call close reopen cancel play discard return
  choose create use rename archive master rules erase session`.split(/\s+/)]);
const WORDS = ["label", "typed", "character"];
const CHOICES = {
  source: ["true", "half", "local", "keyed", "physical"],
  memory: ["table", "player"],
  whose: ["table", "player"],
};
const FLAGS = ["practice", "together", "absent", "d6_only"];  // true, or left out
const SEES = ["public", "self", "gm", "blind"];

function checkFields(event) {
  const { kind, see, channel, id, clock, target, pub, part } = event, count = (value) => value === undefined || (isCount(value) && value > 0);
  const fields = Object.keys(event).every((name) => FIELDS.has(name)) && SEES.includes(see) && isText(channel) && /^\d{1,20}$/.test(channel);
  const values = (clock === undefined || isCount(clock)) && count(target) && count(part) && (pub === undefined || isObject(pub)) && (id === undefined || isId(id));
  const parts = PARTS.every((name) => !(name in event) || isHash(event[name]) || isOpen(event[name]));
  need(fields && values && parts, "has a field or a part that is not as it should be");
  const { user, ...others } = value(event, "who") ?? {}, words = Object.entries(value(event, "words") ?? {});
  const isUser = (user === undefined || (isText(user) && /^(0|[1-9]\d{0,19})$/.test(user))) && !Object.keys(others).length;
  need(isUser && words.every(([name, text]) => WORDS.includes(name) && isText(text) && text), "has a field or a part that is not as it should be");
  need(KINDS.has(kind), "is of a kind that there is not");
  need((id === undefined) !== (clock === undefined) && (part === undefined || id), "has no time, or two");
  const unasked = ["close", "cut", "restored", "commit", "shown"].includes(kind) || (kind === "salt" && pub && "drand" in pub);
  need(id || unasked || (kind === "rules" && event.seq === 1) || (kind === "reveal" && target), "was asked for by nobody");
  need(!FIXED.has(kind) || !isHash(event.what), "is closed, and names no roll");
  need(kind !== "roll" || PARTS.every((name) => name in event), "is a roll without one of its parts");
  const elsewhere = [pub, value(event, "what"), value(event, "how")].flatMap((part) => Object.keys(part ?? {}));
  need(!elsewhere.some((name) => WORDS.includes(name)), "tells a person's words where they would stay");
  for (const [name, words] of Object.entries(CHOICES)) {
    const openParts = ["what", "how"].map((part) => value(event, part) ?? {}).filter((part) => name in part);
    need(openParts.every((part) => words.includes(part[name])), "has a field that is not as it should be");
  }
  const what = kind === "roll" ? value(event, "what") : null;
  if (!what) return;
  need(Array.isArray(what.results) && what.results.length && what.results.every(isText), "has no results");
  need(FLAGS.every((name) => !(name in what) || what[name] === true), "has a field that is not as it should be");
}

// 5.5 to 5.9: check the fields of a roll; return its flags for later events.
function checkRoll(see, what, how) {
  const { source, spec, results, hand, offer, rest, added, again, pushes } = what, has = (name) => name in what;
  need(has("thrown") === (source === "physical"), "was typed in, and does not say so");
  need(Array.isArray(results), "is not recorded as events are");
  need(!has("hand") || see === "self", "is of a hand, and seen by others than it may be");
  const drawn = spec && (hand === true ? !has("offer") && results.length === 1 : offer === true && !has("hand"));
  need(drawn || !(has("hand") || has("offer")), "is of a hand, and not as it should be");
  const beside = spec && isText(rest) && rest && Array.isArray(added) && (added.length === results.length || (has("keep") && added.length === 1));
  need(beside || !(has("rest") || has("added")), "has dice beside no roller");
  need(!(spec && has("d6_only")), "makes dice of d6s that are not plain dice");
  const rising = Array.isArray(again) && again.length && again.every((place, n) => isCount(place) && (!n || place > again[n - 1]));
  const stood = how?.stood, lies = Array.isArray(stood) && stood.length && stood.every((pool) => pool.every((die) => die.every(isCount)));
  const chosen = spec && pushes && (!has("again") || rising) && (how ? lies : !stood);
  need(!(has("again") || stood !== undefined) || chosen, "chooses dice that are not there");
  return (has("hand") ? HAND : 0) | (has("offer") ? OFFER : 0);
}

const isOpen = (part) => Array.isArray(part) && part.length === 2 && isSalt(part[0]) && isObject(part[1]);

const value = (event, name) => (Array.isArray(event[name]) ? event[name][1] : null);

export const commitment = (name, [salt, value]) => hex(sha256(bytesOf(canon(["evenhand/2", name, salt, value]))));

export function entry(event) {
  const closed = PARTS.filter((name) => Array.isArray(event[name])).map((name) => [name, commitment(name, event[name])]);
  return canon({ ...event, ...Object.fromEntries(closed) });
}

export const leafHash = (bytes) => sha256(Uint8Array.of(0), bytes);
export const leafOf = (event) => ("leaf" in event ? unhex(event.leaf) : leafHash(bytesOf(entry(event))));

// ---- 2 The tree and its proofs

const node = (left, right) => sha256(Uint8Array.of(1), left, right);
const same = (left, right) => hex(left) === hex(right);

export class Tree {
  constructor(size = 0, frontier = []) { this.size = size; this.frontier = frontier; }

  append(leaf) {
    let hash = leaf;
    for (let n = this.size; n % 2 === 1; n = (n - 1) / 2) hash = node(this.frontier.pop(), hash);
    this.frontier.push(hash);
    this.size += 1;
  }

  get root() { return this.size ? this.frontier.reduceRight((right, left) => node(left, right)) : sha256(); }
}

const half = (n) => Math.floor(n / 2), ones = (n) => (n ? (n % 2) + ones(half(n)) : 0);

// RFC 9162, 2.1.3.2 and 2.1.4.2: hash upwards from a place along a path; `older` becomes the older root.
function climb(place, last, hash, older, path) {
  for (const sibling of path) {
    if (last === 0) return [];
    if (place % 2 || place === last) {
      hash = node(sibling, hash);
      older = older && node(sibling, older);
      while (place % 2 === 0 && place) [place, last] = [half(place), half(last)];
    } else hash = node(hash, sibling);
    [place, last] = [half(place), half(last)];
  }
  return last ? [] : [hash, older];
}

export function includes(leaf, index, path, { size, root }) {
  const [newRoot] = index < size ? climb(index, size - 1, leaf, null, path) : [];
  return Boolean(newRoot) && same(newRoot, root);
}

export function goesOn(old, path, { origin, size, root }) {
  if (old.origin !== origin || old.size < 1 || old.size > size) return false;
  if (old.size === size) return !path.length && same(old.root, root);
  let place = old.size - 1, last = size - 1;
  while (place % 2) [place, last] = [half(place), half(last)];
  const [first, ...rest] = place ? path : [old.root, ...path];
  const [newer, older] = first ? climb(place, last, first, first, rest) : [];
  return Boolean(newer) && same(newer, root) && same(older, old.root);
}

// ---- 3 Texts

const NUMBER = "(0|[1-9]\\d{0,15})", HASH = "[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=", PATH = `((?:${HASH}\\n)*)\\n([^]*\\n)`;
const CHECKPOINT = new RegExp(`^([^\\s+]{1,200})[ \\n]${NUMBER}[ \\n](${HASH})\\n*(?:\\n— [^]*)?$`, "u");
const INCLUSION = new RegExp(`^c2sp\\.org/tlog-proof@v1\\nextra ([A-Za-z0-9+/]+=*)\\nindex ${NUMBER}\\n${PATH}$`);
const CONSISTENCY = new RegExp(`^old ${NUMBER}\\n${PATH}$`);

function fromBase64(text) {
  try { return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)); } catch { throw new Unreadable("it has no base64"); }
}

const pathOf = (text) => text.split("\n").slice(0, -1).map(fromBase64);

function matchOf(text, form, why) {
  const values = text.match(form);
  if (!values) throw new Unreadable(why);
  return values.slice(1);
}

export function readCheckpoint(text) {
  const [origin, size, root] = matchOf(text.trim(), CHECKPOINT, "it is no checkpoint");
  return { origin, size: Number(size), root: fromBase64(root) };
}

export function readInclusion(text) {
  const [line, index, path, checkpoint] = matchOf(text, INCLUSION, "it is no proof of an event");
  const event = read(joined(fromBase64(line), Uint8Array.of(10)));
  return { event, index: Number(index), path: pathOf(path), checkpoint: readCheckpoint(checkpoint) };
}

export function readConsistency(text) {
  const [old, path, checkpoint] = matchOf(text, CONSISTENCY, "it is no proof that a log went on");
  return { old: Number(old), path: pathOf(path), checkpoint: readCheckpoint(checkpoint) };
}

export const printCheckpoint = (origin, { size, root }) => `${origin}\n${size}\n${base64(root)}\n`;

// ---- 5.2 Rules of rollers

const OWN = new Set(["register", "pool", "leftovers"]), MAP = "destinator";
const RULE_FIELDS = { dice: [], fair: ["tightness"], dynamic: ["factor"], deck: ["size", "refill", "mode"] };

// Parse JSON with a Map for each object, which keeps the order of its keys, and BigInts for whole numbers.
export function readOrdered(text) {
  const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*(?:"(\s*:)?|\\?$)|-?\d[\w.+-]*/gs;
  let keys = 0, read = 0;
  const marked = text.replace(TOKEN, (token, colon) => {
    if (colon) keys += 1;
    return token[0] === '"' ? `"${colon ? "=" : "'"}${token.slice(1)}` : `"${token}"`;
  });
  const root = JSON.parse(marked, (_, value) => {
    if (isObject(value)) return new Map(Object.entries(value).map(([key, item]) => { read += 1; return [key.slice(1), item]; }));
    if (typeof value !== "string") return value;
    if (value[0] === "'") return value.slice(1);
    need(/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(value), "has a rule that can't be read");
    return /^-?\d+$/.test(value) ? BigInt(value.slice(0, 400)) : Number(value);
  });
  need(read === keys, "has a rule that says something twice");
  return root;
}

// Parse a ratio as p and q in lowest terms.
function ratio(text) {
  const [, whole, decimals = "", p, q] = (isText(text) && text.match(/^(?:(\d{1,9})(?:\.(\d{1,9}))?|(\d{1,9})\/(0*[1-9]\d{0,8}))$/)) || [];
  need(whole || q, "has a rule that can't be");
  const [above, below] = q ? [BigInt(p), BigInt(q)] : [BigInt(whole + decimals), 10n ** BigInt(decimals.length)];
  const divisor = greatestDivisor(above, below);
  return [above / divisor, below / divisor];
}

function greatestDivisor(a, b) {
  while (b) [a, b] = [b, a % b];
  return a;
}

function squareRoot(n) {
  let x = 1n << BigInt((n.toString(2).length + 1) >> 1);
  for (;;) {
    const y = (x + n / x) >> 1n;
    if (y >= x) return x;
    x = y;
  }
}

// The roots R of half_power, which are the same for every x.
const HALVES = [];
for (let root = 1n << 127n; HALVES.length < 64;) HALVES.push(root = squareRoot(root << 128n));

// 2^64 · 2^-x for x = p/q, in whole numbers, at least 1.
export function halfPower(p, q) {
  const whole = p / q;
  if (whole > 64n) return 1n;
  const bits = ((p % q) << 64n) / q;
  let power = 1n << 128n;
  HALVES.forEach((root, place) => { if ((bits >> BigInt(63 - place)) & 1n) power = (power * root) >> 128n; });
  return (power >> (64n + whole)) || 1n;
}

// Parse a table of faces: its faces, their weights, and whether each is a sum of two dice; null for another base.
function baseOf(spec) {
  const dice = isText(spec) && spec.match(/^([12])d([1-9]\d{0,2})$/);
  if (dice) {
    const sides = Number(dice[2]), two = dice[1] === "2", length = two ? 2 * sides - 1 : sides;
    const weights = Array.from({ length }, (_, i) => (two ? BigInt(Math.min(i + 1, length - i)) : 1n));
    return length <= WIDEST ? { faces: weights.map((_, i) => String(i + Number(dice[1]))), weights, two, sides: BigInt(sides) } : null;
  }
  if (!(spec instanceof Map) || !spec.size || spec.size > WIDEST) return null;
  if (spec.size === 2 && isText(spec.get("dice")) && spec.get("labels") instanceof Map) return chartOf(spec);
  const positive = [...spec].filter(([, weight]) => weight !== 0n);
  need(positive.length && positive.every(([, weight]) => isPositive(weight)), "has a rule that can't be");
  return { faces: positive.map(([face]) => face), weights: positive.map(([, weight]) => weight), two: false };
}

// Parse a chart, in which every total of its dice has one label; null for other dice.
function chartOf(spec) {
  const thrown = baseOf(spec.get("dice")), labels = spec.get("labels"), all = [...labels.values()];
  if (!thrown) return null;
  const totals = all.flat().map(String);
  need(all.every((of) => Array.isArray(of) && of.length) && totals.length === thrown.faces.length && new Set(totals).size === totals.length, "has a rule that can't be");
  need(totals.every((total) => thrown.faces.includes(total)), "has a rule that can't be");
  const chart = all.map((of) => of.map((total) => thrown.weights[thrown.faces.indexOf(String(total))]));
  return { faces: [...labels.keys()], weights: chart.map(sum), two: thrown.two, sides: thrown.sides, chart, totals: all };
}

const WIDEST = 1_000, isPositive = (number) => typeof number === "bigint" && number > 0n && number < 2n ** 53n;

// The number of weights that may still be computed; each event adds some, so that no file takes minutes.
class Budget {
  constructor() { this.left = 150_000; }

  add() { this.left += 75; }

  spend(weights) {
    this.left -= weights;
    if (this.left < 0) throw new NotMadeAgain("too much work");
  }
}

const sum = (numbers) => numbers.reduce((first, second) => first + second, 0n);
const least = (numbers) => numbers.reduce((first, second) => (second < first ? second : first));
const most = (numbers) => numbers.reduce((first, second) => (second > first ? second : first));

// Return a rule's faces, its initial memory, its weights, and the memory after a face; null for another rule.
function lawOf(spec) {
  const system = spec.get("system"), names = Object.hasOwn(RULE_FIELDS, system) ? RULE_FIELDS[system] : null;
  const before = (system === "fair" && spec.get("after")) || [], fields = names && names.length + 2 + (system === "fair" && spec.has("after"));
  const isKnown = names && spec.size === fields && ["base", ...names].every((key) => spec.has(key)), base = isKnown && baseOf(spec.get("base"));
  if (!base) return null;
  const [first, refill, mode] = names.map((key) => spec.get(key)), inf = first === "inf" && system === "fair";
  const factor = names.length === 1 && !inf ? ratio(first) : null;
  const { weights: a } = base, all = sum(a), none = a.map(() => 0n);
  if (system === "dice") return { ...base, start: [], weigh: () => a, then: () => [] };
  if (system === "fair") {
    const weight = (m, low, i) => (factor ? a[i] * halfPower(factor[0] * (m - low), factor[1] * all) : m === low ? a[i] : 0n);
    const weigh = (memory) => { const low = least(memory); return memory.map((m, i) => weight(m, low, i)); };
    const then = (memory, chosen) => memory.map((m, i) => m - a[i] + (i === chosen ? all : 0n));
    need(Array.isArray(before) && before.length < WIDEST && before.every((face) => base.faces.includes(face)), "has a rule that can't be");
    const start = base.faces.map((face, i) => all * BigInt(before.filter((value) => value === face).length) - a[i] * BigInt(before.length));
    return { ...base, start, weigh, then, negative: true };
  }
  if (system === "dynamic") {
    const weigh = (memory) => { const top = most(memory); return memory.map((m) => factor[0] ** m * factor[1] ** (top - m)); };
    const then = (memory, chosen) => {
      const more = memory.map((m, i) => (i === chosen ? m + 1n : m)), low = least(more);
      return more.map((m) => m - low);
    };
    return { ...base, start: none, weigh, then, bits: BigInt(most(factor).toString(2).length - 1) };
  }
  need(isPositive(first) && isPositive(refill) && ["add", "reset"].includes(mode), "has a rule that can't be");
  const set = a.map((weight) => weight * first);
  const then = (memory, chosen) => {
    const rest = memory.map((m, i) => (i === chosen ? m - 1n : m));
    return sum(rest) >= refill ? rest : set.map((m, i) => (mode === "add" ? m + rest[i] : m));
  };
  return { ...base, start: set, weigh: (memory) => memory, then, takesBack: true };
}

// Parse a rule: its system, the name of its rolls if they have no roller, and its law (null if not implemented here).
function ruleOf(text) {
  try {
    const spec = readOrdered(text), system = spec.get("system"), values = spec.get("values");
    need(isText(system), "has a rule that can't be read");
    const title = { method: () => `d${values} ${spec.get("method")}`, game: () => `${spec.get("game")} ${spec.get("roll")}` };
    return { system, values, title: Object.hasOwn(title, system) ? title[system]() : null, law: lawOf(spec) };
  } catch (error) {
    throw error instanceof Broken ? error : new Broken("has a rule that can't be read");
  }
}

// ---- 6.2 Bits

export class Register {
  constructor(key, log, seq, id, salt) {
    Object.assign(this, { key, begin: `evenhand/2 bits ${log}|${seq}|${id}|${salt}|`, words: [], blocks: 0, v: 0n, m: 1n });
  }

  word() {
    if (!this.words.length) {
      const block = hex(hmac(this.key, bytesOf(this.begin + this.blocks++)));
      this.words = block.match(/.{16}/g).map((word) => BigInt(`0x${word}`));
    }
    return this.words.shift();
  }

  below(n) {
    for (;;) {
      while (this.m < n << 32n) { this.v = (this.v << 64n) + this.word(); this.m <<= 64n; }
      const s = this.m / n;
      if (this.v < s * n) {
        const draw = this.v / s;
        this.v %= s;
        this.m = s;
        return draw;
      }
      this.v -= s * n;
      this.m %= n;
    }
  }

  choose(weights) {
    let position = this.below(sum(weights)), index = 0;
    while (position >= weights[index]) position -= weights[index++];
    this.v += position * this.m;
    this.m *= weights[index];
    return index;
  }
}

// ---- 5.1 Replaying a roll

function whole(value) {
  const long = isText(value) && /^-?[1-9]\d{15,4299}$/.test(value);
  need(long ? !Number.isSafeInteger(Number(value)) : Number.isSafeInteger(value), "has a number that is none");
  return BigInt(value);
}

const WRONG = "does not come out as the dice that were thrown by hand", BITS = 14_300n, SPAN = 2n ** 96n;

// The recorded draws of a roll; with a register, `differs` says whether one is not that of the key.
class Draws {
  constructor(pairs, register, thrown, d6Only = false) {
    need(Array.isArray(pairs) && (thrown === undefined || Array.isArray(thrown)), "has a number that is none");
    need(pairs.every((pair) => Array.isArray(pair) && pair.length === 2), "is not recorded as events are");
    Object.assign(this, { pairs: pairs.map((pair) => pair.map(whole)), register, place: 0, differs: false, thrown: thrown?.map(whole), d6Only, number: 0n, size: 1n });
  }

  next(total, fits, drawn) {
    const [size, index] = this.pairs[this.place++] ?? [];
    need(size === total && index >= 0n && fits(index), "has a draw that its rule does not ask for");
    if (this.register && BigInt(drawn(this.register)) !== index) this.differs = true;
    return index;
  }

  below(n) { return this.next(n, (index) => index < n, (register) => register.below(n)); }

  choose(weights) {
    return Number(this.next(sum(weights), (index) => index < weights.length && weights[index] > 0n, (register) => register.choose(weights)));
  }

  // 5.9 Return the next die that was thrown by hand.
  takeThrown(sides) {
    const face = this.thrown.shift();
    need(face >= 1n && face <= sides, WRONG);
    return face;
  }

  throw(sides) {
    const face = 1n + this.below(sides);
    need(!this.thrown || this.takeThrown(sides) === face, WRONG);
    return face;
  }

  // 5.1 Make the next die out of d6s, the digits of a number whose rest serves the die after it.
  makeDie(sides) {
    let whole;
    while (this.number >= (whole = this.size - this.size % sides)) {
      this.number = (this.number - whole) * 6n + this.throw(6n) % 6n;
      this.size = (this.size - whole) * 6n;
    }
    const value = this.number % sides;
    this.number /= sides;
    this.size = whole / sides;
    return value || sides;
  }

  lot(value) { if (this.register.below(10n ** 6n) !== whole(value)) this.differs = true; }
}

const TERM = "(?:\\d{1,3}d[1-9]\\d{0,3}|\\d{1,7})(?:\\[[^\\[\\]]*\\])?", NOTATION = new RegExp(`^(?:(\\d{1,2})#)?([+-]?${TERM}(?:[+-]${TERM})*)$`);

// Return the totals of a sum of dice and numbers, such as 2#1d20+4.
function throwNotation(text, draws) {
  need(isText(text), "has a number that is none");
  const notation = text.length <= 200 && text.match(NOTATION);
  if (!notation) throw new NotMadeAgain("other notation");
  const terms = notation[2].replace(/\[[^\]]*\]/g, "").match(/[+-]?[^+-]+/g).map((term) => term.match(/^([+-]?)(?:(\d+)d)?(\d+)$/));
  return Array.from({ length: Number(notation[1] ?? 1) }, () => String(sum(terms.map(([, sign, dice, number]) => {
    const thrown = Array.from({ length: Number(dice ?? 0) }, () => (draws.d6Only ? draws.makeDie(BigInt(number)) : draws.throw(BigInt(number))));
    return BigInt(`${sign}1`) * (dice === undefined ? BigInt(number) : sum(thrown));
  }))));
}

// Return the faces that a law gives from a memory, and the memory after them.
function throwLaw(law, what, before, draws, budget) {
  let memory = before;
  const faces = what.results.map((_, place) => {
    if (what.practice === true && !(what.together === true && place)) memory = law.start;
    const bits = law.bits ? most(memory) * law.bits : 0n, low = memory.length ? least(memory) : 0n, span = memory.length ? most(memory) - low : 0n;
    need(law.start.length === memory.length && (law.negative || low >= 0n) && span < SPAN && bits < BITS, "has a memory that its rule can't have");
    budget.spend(law.faces.length * (1 + Number(bits) / 100));
    const index = draws.choose(law.weigh(memory));
    if (draws.thrown) {
      const total = law.sides && sum(Array.from({ length: law.two ? 2 : 1 }, () => draws.takeThrown(law.sides)));
      need(law.sides && (law.totals?.[index] ?? [law.faces[index]]).map(String).includes(String(total)), WRONG);
    }
    else {
      const each = law.chart?.[index] ?? [law.weights[index]], ways = each[each.length > 1 ? draws.choose(each) : 0];
      if (law.two && ways > 1n) draws.below(ways);
    }
    memory = law.then(memory, index);
    return law.faces[index];
  });
  return [faces, memory];
}

// Check a roll's draws and results against its law and the memory before; return the memory after.
function makeAgain(law, what, before, draws, budget) {
  if (what.spec && !law) throw new NotMadeAgain("another rule");
  const [faces, memory] = law ? throwLaw(law, what, before, draws, budget) : [throwNotation(what.text, draws), []];
  const { lots = [], rest, added = [] } = what, beside = added.length ? throwNotation(`${added.length}#${rest}`, draws) : [];
  need(beside.every((total, place) => total === added[place]), "does not come out as recorded");
  need(Array.isArray(lots), "has a number that is none");
  if (draws.register) lots.forEach((lot) => draws.lot(lot));
  need(draws.place === draws.pairs.length, "has a draw that its rule does not ask for");
  need(!draws.thrown?.length, WRONG);
  need(faces.length === what.results.length && faces.every((face, place) => face === what.results[place]), "does not come out as recorded");
  return memory;
}

// ---- 5.3 Memories

// Unicode's full case folding, except that Cherokee letters become small ones; equal names stay equal.
export function fold(name) {
  if (name !== folded.name) Object.assign(folded, { name, as: Array.from(name, (char) => (char === "ı" ? char : char.toLowerCase().toUpperCase().toLowerCase())).join("") });
  return folded.as;
}

const folded = { name: "", as: "" };

const CHANGES = new Set(["make", "reset", "restart", "remove", "undo"]), UNDONE = 1_000, AT_FIRST = "at first", UNKNOWN = null;

// Rollers by name. `unread(seq)` is true for an event that is missing or has a closed `what`; `cards(seq)` are those that it drew.
class Rollers {
  constructor(unread, cards) { Object.assign(this, { unread, cards, rollers: new Map(), steps: new Map(), changed: 0, closed: 0, far: 0 }); }

  // An unreadable event may be of any roller; if its kind changes rollers, each may have another rule after it.
  skip(seq, kind = "make") {
    this.closed = seq;
    if (CHANGES.has(kind)) this.changed = seq;
  }

  // `spec` is "" if nobody made the roller; `others` is the memory of owners that `memories` does not have.
  of(name) {
    const none = { spec: "", newest: 0, memories: new Map(), others: AT_FIRST };
    return this.rollers.get(fold(name)) ?? (this.unread(1) || this.changed ? this.lost({ spec: UNKNOWN, newest: UNKNOWN }) : none);
  }

  // Return the rule of a roller; UNKNOWN if an unreadable event may have changed it.
  rule({ spec, newest }) { return newest > this.changed || !this.changed ? spec : UNKNOWN; }

  lost(state) { return { ...state, memories: new Map(), others: UNKNOWN }; }

  // Check that an event names its roller's newest one before it, or an unreadable one; return the roller before.
  goOn(event, name, how) {
    const { seq } = event;
    let before = this.of(name);
    const { newest } = before, prev = how?.prev;
    need(how ? isCount(prev) : "how" in event, "does not say what it goes on from");
    if (how) {
      const open = (prev > newest && prev < seq && this.unread(prev)) || (this.changed > newest && prev <= this.changed);
      need(newest === UNKNOWN || prev === newest || open, `goes on from #${prev}, which is not its roller's newest`);
      if (newest !== UNKNOWN && prev !== newest) before = this.lost({ spec: this.rule(before), newest: prev });
    } else if (newest === UNKNOWN || this.closed > newest) before = this.lost({ spec: this.rule(before), newest: UNKNOWN });
    this.steps.set(seq, { name: fold(name), before });
    if (this.steps.size > UNDONE) this.steps.delete(this.far = this.steps.keys().next().value);
    return before;
  }

  set(seq, name, state) { this.rollers.set(fold(name), { ...state, newest: seq }); }

  change(event, { who, what, how }, rule, draws) {
    const { seq, kind, target } = event, name = what.roller ?? "", before = this.goOn(event, name, how), forgotten = { memories: new Map(), others: AT_FIRST };
    if (kind === "make") {
      need(rule, "makes a roller without a rule");
      this.set(seq, name, before.spec === "" ? { spec: what.spec, ...forgotten } : { ...before, spec: what.spec });
    } else if (kind === "return") {
      need(before.spec !== "", "is of a roller that nobody made");
      const law = before.spec ? ruleOf(before.spec).law : null;
      this.goesTo(event, name, before, { who, how }, law, (memory) => law ? putBack(law, memory, how.place, this.cards(target), target) : UNKNOWN);
    } else if (kind === "restart") {
      need(rule?.system === "register" && fold(name) === "d100 register", "resets no register");
      this.set(seq, name, this.lost({ ...before, spec: what.spec }));
      const value = draws?.pairs.length ? draws.below(rule.values) : 0n;
      need(!draws || value === BigInt(what.value ?? 0), "does not come out as recorded");
    } else this.set(seq, name, { spec: kind === "remove" ? "" : before.spec, ...forgotten });
  }

  // Return a note if an undo can't be checked, or "".
  undo({ seq, target }, what) {
    const name = what.roller ?? "", key = fold(name), step = this.steps.get(target), now = this.of(name), far = !step && target <= this.far;
    const moved = now.newest !== UNKNOWN && now.newest !== target && now.newest < this.changed;  // by a withheld undo
    if (target && (far || this.unread(target) || moved)) {
      this.rollers.set(key, this.lost({ spec: far ? UNKNOWN : this.rule(now), newest: UNKNOWN }));
      return far ? `#${seq} undoes what is too far back to be checked.` : "";
    }
    need(step?.name === key && (now.newest === target || now.newest === UNKNOWN), `undoes #${target}, which is not its roller's newest`);
    this.steps.delete(target);
    if (this.closed > target) step.before = this.lost(step.before);
    else if (step.owner) step.before.memories.set(step.owner, step.memory);
    this.rollers.set(key, step.before);
    return "";
  }

  check(before, name, spec, { system }) {
    const own = OWN.has(system) && fold(name) === `d100 ${system}`;
    need(before.spec !== "" || own || system === MAP, "was rolled by a roller that nobody made");
    need(own || [UNKNOWN, "", spec].includes(before.spec), "was rolled by another rule than its roller had");
  }

  // Check a roll with a memory; `replay` returns the memory after it from the one before.
  roll(event, { who, what, how }, rule, replay) {
    const name = what.roller ?? "", before = this.goOn(event, name, how), spec = what.spec ?? "", { law } = rule;
    this.check(before, name, spec, rule);
    this.goesTo(event, name, { ...before, spec }, { who, how }, law, replay);
  }

  // Check that the memory before an event is its roller's; `next` returns the memory after it.
  goesTo({ seq }, name, after, { who, how }, law, next) {
    const owner = how?.whose === "player" ? who?.user : "table", { memories, others } = after;
    this.set(seq, name, this.lost(after));
    if (!how) return;
    const memory = memoryOf(how.before);
    need(!memory.length || "whose" in how, "does not say whose memory it used");
    const stored = memories.has(owner) ? memories.get(owner) : others, expected = stored === AT_FIRST ? law?.start : stored;
    const fits = !owner || !expected || (memory.length === expected.length && memory.every((m, place) => m === expected[place]));
    need(fits, "began with another memory than its roller had");
    const then = next(memory);
    if (then === UNKNOWN) return;
    this.set(seq, name, after);
    if (!owner) return;
    Object.assign(this.steps.get(seq), { owner, memory: stored });
    memories.set(owner, then);
  }

  practise({ what }, rule) {
    const name = what.roller ?? "", roller = this.of(name);
    if (roller.newest > this.closed || !this.closed) this.check(roller, name, what.spec, rule);
  }
}

// 5.5: return the memory of a deck after a card is put back.
function putBack(law, memory, place, cards, target) {
  need(law.takesBack && memory.length === law.faces.length && place < memory.length, "puts back a card that has no place");
  need(!cards || cards.includes(law.faces[place]), `puts back another card than #${target} was`);
  return memory.map((m, i) => (i === place ? m + 1n : m));
}

function memoryOf(numbers = []) {
  need(Array.isArray(numbers), "has a number that is none");
  return numbers.map(whole);
}

// ---- 5.4 Order

const EPOCH = 1420070400000, MINUTE = 60_000, timeOf = (id) => Number(BigInt(id) >> 22n) + EPOCH;

// Checks that the events of an interaction are side by side, at most 15 minutes after newer ones.
class Order {
  constructor(start) { Object.assign(this, { begin: start ? start + 1 : 0, ids: new Map(), own: null, part: 0, gap: 0, newest: 0, swept: 0 }); }

  check({ seq, id, part: number = 0 }, notes) {
    const { own, part: last, gap } = this;
    Object.assign(this, { own: id ?? null, part: number, gap: 0 });
    if (id === undefined) return;
    const time = timeOf(id), late = this.newest - time;
    need(id === own ? last && number === last + gap + 1 : !this.ids.has(id), "has the interaction of another event");
    need(id === own || number - 1 <= gap || seq === this.begin, "is a part of an interaction whose other parts do not stand before it");
    need(late <= 15 * MINUTE, `was asked for ${Math.floor(late / MINUTE)} minutes before an event above it`);
    if (late > MINUTE) notes.add(`#${seq} was asked for over a minute before an event above it.`);
    this.newest = Math.max(this.newest, time);
    this.ids.set(id, time);
    if (this.newest - this.swept <= 15 * MINUTE) return;
    this.swept = this.newest;
    this.ids.forEach((time, key) => { if (this.newest - time > 15 * MINUTE) this.ids.delete(key); });
  }
}

// Kind of event to the flags of which its target needs one.
const CALL = 1, HIDDEN = 2, UNSEEN = 4, OFFER = 8, HAND = 16, UNREAD = 32, MOVE = 64;
const ABOUT = { roll: CALL, close: CALL, reopen: CALL, cancel: CALL, reveal: HIDDEN | CALL, choose: OFFER | UNREAD };
Object.assign(ABOUT, { play: HAND | UNREAD, discard: HAND | UNREAD, return: HAND | OFFER | UNREAD });

// ---- 5.5 Hands

const CARDS = 1_000;

// The cards drawn into hands or offered, and the events with which they left.
class Hands {
  constructor() { Object.assign(this, { drawn: new Map(), departures: new Map() }); }

  check({ seq, kind, see, target }, { who, what, how }) {
    need(see === "public" || !["play", "discard"].includes(kind), "is of a hand, and seen by others than it may be");
    if (kind === "roll" && what && ("hand" in what || "offer" in what)) this.drawn.set(seq, { owner: who?.user, cards: what.results, inHand: "hand" in what, whose: how?.whose });
    const draw = this.drawn.get(target), { owner, cards, whose, inHand = kind !== "return" } = draw ?? {}, same = !owner || !who?.user || owner === who.user;
    if (kind === "undo" && !this.departures.delete(target) && draw) this.departures.set(seq, target);
    if (["play", "discard", "return", "choose"].includes(kind) && (inHand || kind === "choose")) {
      need(![...this.departures.values()].includes(target), `is about a card that left #${target} before`);
      this.departures.set(seq, target);
    }
    if (kind === "play" && what) {
      const { results = [] } = what;
      need(results.length === 1 && isText(results[0]) && same && (!cards || results[0] === cards[0]), "plays another card than was drawn");
    }
    need(kind !== "discard" || !what || !("results" in what), "tells a card that it throws away");
    need(kind !== "choose" || !what || (isCount(what.choice) && what.choice < (cards?.length ?? Infinity)), "chooses none of the cards");
    need(kind !== "return" || !what || !draw || (what.offered === true) !== inHand, "returns a card that was in another place");
    if (kind === "return" && how) {
      need(isCount(how.place), "returns no card");
      need(["table", "player"].includes(how.whose), "returns a card to nobody's memory");
      need(same && (whose === undefined || whose === how.whose), "returns a card to another memory than it came from");
    }
    for (const entries of [this.drawn, this.departures]) if (entries.size > CARDS) entries.delete(entries.keys().next().value);
  }
}

// ---- 5.8 Dice chosen for a push

// The rolls of games: player, game and faces.
class Chosen {
  constructor() { this.rolls = new Map(); }

  check(seq, { who, what, how }) {
    const { system, game } = what.spec ? JSON.parse(what.spec) : {}, { pushes, again = [0] } = what, { stood, draws = [] } = how;
    if (system !== "game") return;
    if (stood) {
      const faces = stood.flat(2), first = this.rolls.get(pushes), own = !first?.user || !who?.user || first.user === who.user;
      need(!first || (first.game === game && own), `pushes #${pushes}, which is no roll of that player's in that game`);
      let place = 0;
      const fell = first?.fell, follows = (face) => (place = fell.indexOf(face, place) + 1);
      need(!first || (fell && again.at(-1) < fell.length && faces.every(follows)), `keeps dice that did not fall so in #${pushes}`);
    }
    this.rolls.set(seq, { user: who?.user, game, fell: stood ? null : draws.map(([, face]) => face) });
    if (this.rolls.size > CARDS) this.rolls.delete(this.rolls.keys().next().value);
  }
}

// ---- 6 Proof mode

const KEYS = 1_024, LEFT = 256, LATE = 3_000, UNASKED = 2, GENESIS = 1692803367000, PERIOD = 3_000;
const NO_ROUND = "does not have drand's first round after its keys, or not its signature's hash";
const LATE_SALT = "is a salt that may have been chosen late, so it proves nothing.";
const REASONS = {
  shown: "before the message that shows the keys",
  off: "without keys in force",
  thrown: "typed in by people, not from keys",
  closed: "closed, so their keys can't be seen",
  made: "by rules that this tool does not know",
  withheld: "can't be followed behind withheld events",
  cut: "can't be followed, their commit was cut",
};

// Ascending numbers, printed as a bounded list of spans.
class Spans {
  constructor() { Object.assign(this, { count: 0, spans: [], more: 0 }); }

  add(seq) {
    const last = this.spans.at(-1);
    this.count += 1;
    if (last?.[1] === seq - 1) last[1] = seq;
    else if (this.spans.length < MOST) this.spans.push([seq, seq]);
    else this.more += 1;
  }

  toString() {
    const text = this.spans.map(([a, b]) => (a === b ? `#${a}` : `#${a} to #${b}`)).join(", ");
    return (this.more ? `${text} and ${this.more} more` : text) || "none";
  }
}

const MOST = 20;

// The first of many sentences, and the number of the others.
class Lines {
  constructor() { Object.assign(this, { first: [], more: 0 }); }

  add(line) {
    if (line && this.first.length < MOST) this.first.push(line);
    else if (line) this.more += 1;
  }

  summary(noun) { return this.more ? [...this.first, `And ${this.more} more ${noun}.`] : this.first; }
}

// 6.1: the keys of one commit, the message that showed them, and their chain of salts (6.3).
class Keys {
  constructor({ seq, pub, id, clock }, what) {
    Object.assign(this, { seq, time: id ? timeOf(id) : clock, first: pub.first, end: pub.first + KEYS, root: pub.root, message: 0n, leaves: [] });
    Object.assign(this, { drand: what?.drand === true, secondHand: Boolean(what && "second_hand" in what), links: [[0n, ""]] });
  }

  // Take the hashes of the keys; return whether their root is the one committed to.
  bind(leaves) {
    const tree = new Tree();
    if (!Array.isArray(leaves) || leaves.length !== KEYS || !leaves.every(isHash)) return false;
    leaves.forEach((leaf) => tree.append(unhex(leaf)));
    this.leaves = leaves;
    return hex(tree.root) === this.root;
  }

  link(since, pub) {
    const [before, salt] = this.links.at(-1);
    this.links.push([since > before ? since : before, hex(sha256(bytesOf(canon([salt, pub]))))]);
  }

  salt(id) { return this.links.findLast(([since]) => since < id)[1]; }
}

class ProofMode {
  constructor(log, start) {
    Object.assign(this, { log, start, cut: start > 0, withheld: 0, ended: 0, unasked: 0, newest: 0, follow: 0, ever: false });
    Object.assign(this, { force: null, waiting: null, pending: null, agree: [], strayed: false, people: new Map(), messages: new Lines(), late: new Lines(), spoken: new Lines(), rounds: new Lines(), restored: new Lines() });
    this.spans = Object.fromEntries(Object.keys(REASONS).map((name) => [name, new Spans()]));
  }

  withhold(seq) { Object.assign(this, { withheld: seq, unasked: 0, agree: [] }); }

  // True if a withheld event may have changed the keys in force.
  get unsure() { return this.withheld > (this.force ? this.force.seq : this.ended); }

  at(seq) {
    if (this.waiting && seq >= this.waiting.first) Object.assign(this, { force: this.waiting, waiting: null, cut: false, agree: [], strayed: false });
    const keys = this.force;
    return keys?.message && keys.first <= seq && seq < keys.end ? keys : null;
  }

  see(event, what) {
    const { seq, kind, id, pub = {}, target } = event;
    this.at(seq);
    if (kind === "commit") this.commit(event, what);
    else if (kind === "shown") this.show(target, pub);
    else if (kind === "salt") this.salt(event, pub);
    else if (kind === "uncommit" || kind === "restored" || (kind === "cut" && this.reaches(target))) {
      Object.assign(this, { force: null, waiting: null, ended: seq, cut: false });
    }
    if (kind === "restored") {
      need(!id && Object.keys(pub).length === 1 && pub.last === seq - 1, "does not say that the history was put back to the event before it");
      this.restored.add(`This history was put back to #${seq - 1}; compare your checkpoints.`);
    }
    this.unasked = id ? 0 : this.unasked + 1;
    if (id) this.newest = Math.max(this.newest, timeOf(id));
  }

  reaches(target) { return this.force ? target >= this.force.seq : this.cut && target >= this.start; }

  commit(event, what) {
    const { seq, pub = {} } = event, { first } = pub, old = this.force?.message ? this.force : null, unsure = this.unsure || this.cut;
    const expected = old && old.end > seq ? old.end : seq + 1, sound = pub.keys === KEYS && isCount(first) && first > seq && isHash(pub.root);
    need(sound && (unsure || (first === expected && !this.waiting?.message)), "commits to keys while others are left");
    need(unsure || first === seq + 1 || old.end - 1 - seq >= LEFT, "commits to keys when too few are left");
    const keys = new Keys(event, what), later = first > seq + 1;
    Object.assign(this, { pending: keys, ever: true, force: later ? old : keys, waiting: later ? keys : null });
    if (!later) Object.assign(this, { cut: false, agree: [], strayed: false });
  }

  bind(seq, leaves) {
    need(this.pending?.seq === seq && this.pending.bind(leaves), "is not the commit of these keys");
    this.pending = null;
  }

  show(target, { message, round }) {
    const keys = [this.waiting, this.force].find((epoch) => epoch && epoch.seq === target);
    need(isId(message) && (keys ? !keys.message : this.unsure || this.cut), "shows no keys that were committed to");
    need(round === undefined || round === Math.floor((timeOf(message) - GENESIS) / PERIOD) + 2, NO_ROUND);
    if (keys) Object.assign(keys, { message: BigInt(message), time: round === undefined ? keys.time : timeOf(message) });
    this.messages.add(`Compare message ${message} in the channel.`);
  }

  salt(event, pub) {
    const alive = [this.force, this.waiting].filter((epoch) => epoch);
    if (!("drand" in pub)) {
      const shown = "message" in pub, whole = isText(pub.salt) && pub.salt && Object.keys(pub).length === (shown ? 2 : 1);
      need(whole && (!shown || isId(pub.message)) && event.id && !event.target, "is a salt without words or a press, or without the message that showed it");
      if (shown) this.spoken.add(`Compare message ${pub.message} in the channel, with words.`);
      else this.late.add(`#${event.seq} ${LATE_SALT}`);
      const press = BigInt(event.id), message = BigInt(pub.message ?? 0);
      alive.forEach((keys) => keys.link(press > message ? press : message, pub));
      return;
    }
    const keys = alive.find((epoch) => epoch.seq === event.target), [round] = Array.isArray(pub.drand) ? pub.drand : [];
    const fits = Object.keys(pub).length === 1 && isRound(pub.drand, keys?.time) && event.clock === GENESIS + (round - 1) * PERIOD;
    need(fits && (keys ? keys.drand : this.unsure || this.cut), NO_ROUND);
    if (keys && (!keys.message || event.clock <= timeOf(keys.message))) this.late.add(`#${event.seq} ${LATE_SALT}`);
    this.rounds.add(`Check that drand signed round ${round}: pipx run tools/drand.py ${round} ${pub.drand[2]}`);
    if (!keys) return;
    keys.drand = false;
    keys.link((BigInt(event.clock - EPOCH + 1) << 22n) - 1n, pub);
  }

  // Return the register of a roll with a key; null without one, and count the reason.
  roll({ seq, id }, { who, what, how }) {
    const press = BigInt(id), keys = this.at(seq), source = what?.source, claims = (how && "key" in how) || source === "keyed";
    if (source === "physical") {
      need(!keys?.secondHand, "was typed in, where others throw for who hosts the bot");
      const user = this.people.has(who?.user ?? "") || this.people.size < MOST ? who?.user ?? "" : "others";
      this.people.set(user, (this.people.get(user) ?? 0) + 1);
      this.spans.thrown.add(seq);
    }
    if (!keys || press <= keys.message) {
      const blind = this.unsure ? "withheld" : this.cut ? "cut" : "";
      need(!claims || (blind && !keys), "has a key that nothing committed to");
      if (claims || (this.ever && !blind && source !== "physical")) this.spans[blind || (keys ? "shown" : "off")].add(seq);
      return null;
    }
    const says = source === "keyed" || source === "physical" || (source === undefined && !how?.draws?.length);
    need(!what || says || this.unsure, "does not say that it has a key");
    if (!how) return this.count(seq, "closed");
    const fits = isHash(how.key) && hex(leafHash(unhex(how.key))) === keys.leaves[seq - keys.first];
    if (!fits && this.unsure) return this.count(seq, "withheld");
    need(isHash(how.key), "has no key");
    need(fits, "does not have the key that was committed for it");
    const late = this.newest - timeOf(id);
    need(late <= LATE, `was asked for ${Math.floor(late / 1_000)} s before an event above it`);
    need(this.unasked <= UNASKED, "stands behind more than two events that nobody asked for");
    return source === "physical" ? null : new Register(unhex(how.key), this.log, seq, id, keys.salt(press));
  }

  count(seq, reason) {
    this.spans[reason].add(seq);
    return null;
  }

  // Count a roll with a key.
  countKeyed(seq, remade, differs) {
    need(!differs || this.unsure, "does not follow from its key");
    if (differs) {
      // A withheld event changed the salt, so the rolls since then agreed by chance.
      this.agree.forEach((agreed) => this.count(agreed, "withheld"));
      this.follow -= this.agree.length;
      Object.assign(this, { agree: [], strayed: true });
    }
    if (this.unsure && this.strayed) this.count(seq, "withheld");
    else if (remade) {
      this.follow += 1;
      if (this.unsure) this.agree.push(seq);
    } else this.count(seq, "made");
  }

  report() {
    const spans = Object.entries(this.spans).filter(([, span]) => span.count), lines = [...this.restored.summary("times")];
    if (this.ever || spans.some(([name]) => name !== "thrown")) lines.push(`Proof mode: ${this.follow} rolls follow from their keys.`);
    const people = [...this.people].map(([user, count]) => `${user || "nobody named"} ${count}`).join(", ");
    const last = { thrown: ` (by ${people})`, withheld: ` (#${this.withheld} is withheld)` };
    lines.push(...spans.map(([name, span]) => `${span.count} rolls ${REASONS[name]}: ${span}${last[name] ?? ""}.`));
    lines.push(...this.messages.summary("messages"), ...this.late.summary("salts"), ...this.rounds.summary("rounds"));
    return [...lines, ...this.spoken.summary("messages with words")];
  }
}

// 6.3: return whether a salt has drand's first round after a time; any round if that is undefined.
function isRound(drand, time) {
  const [round, value, signature] = Array.isArray(drand) && drand.length === 3 ? drand : [];
  const expected = time === undefined ? round : Math.floor((time - GENESIS) / PERIOD) + 2;
  return isCount(round) && round === expected && /^[0-9a-f]{96}$/.test(signature) && hex(sha256(unhex(signature))) === value;
}

// ---- 4 The file

const WITH_MEMORY = new Set("fair luck dynamic deck decks blocks renewal recency register pool leftovers".split(" "));
const HEADING = ["evenhand", "first", "frontier", "log", "name", "origin", "size"];
const NO_EXPORT = "is no line of an export";
const printable = (text) => Array.from(String(text)).slice(0, 60).map((char) => (/[\p{C}\p{Z}]/u.test(char) && char !== " " ? `\\u${char.codePointAt(0).toString(16).padStart(4, "0")}` : char)).join("").slice(0, 60);

// Checks the events of one campaign in order; `sizes` are those whose roots are needed.
class History {
  constructor(sizes, seals, start = 0, origin = "") {
    Object.assign(this, { sizes, seals, origin, begun: origin !== "", opening: [], end: 0, checked: 0, flags: [], roots: new Map() });
    Object.assign(this, { made: 0, unmade: 0, closed: new Spans(), nameless: 0, withheld: new Spans(), hidden: new Map(), notes: new Lines(), budget: new Budget() });
    this.from(start, origin.slice(-32), Array(ones(start)).fill(new Uint8Array(32)));
  }

  from(start, log, frontier) {
    Object.assign(this, { start, log, tree: new Tree(start, frontier), keys: new ProofMode(log, start), order: new Order(start), hands: new Hands(), chosen: new Chosen() });
    this.rollers = new Rollers((seq) => this.unread(seq), (seq) => this.hands.drawn.get(seq)?.cards);
  }

  get seq() { return this.tree.size; }

  flag(seq) { return seq > this.start ? this.flags[seq - this.start - 1] : UNSEEN; }

  unread(seq) { return Boolean(this.flag(seq) & (UNSEEN | UNREAD)); }

  file(bytes) {
    let number = 0;
    for (let place = 0, next; place < bytes.length || !number; place = next) {
      next = bytes.indexOf(10, place) + 1 || bytes.length;
      number += 1;
      try {
        const line = read(bytes.subarray(place, next));
        if (number === 1) this.begin(line);
        else this.line(line);
      } catch (error) {
        if (error instanceof Broken && error.seq !== undefined) throw error;
        throw new Unreadable(`line ${number} ${NO_EXPORT}: ${error instanceof Broken || error instanceof Unreadable ? error.message : "it can't be read"}`);
      }
      if (this.sizes.has(this.seq)) this.roots.set(this.seq, this.tree.root);
    }
    need(this.seq >= this.end, `is missing: the file goes on to #${this.end}`, this.seq + 1);
    need(this.seq === this.end && this.end === this.checked && !this.keys.pending, "is not the end of its file", this.seq);
  }

  begin(line) {
    const { evenhand, first, frontier, log, name, origin, size } = line, keys = Object.keys(line);
    const sound = evenhand === 2 && isCount(first) && first && isCount(size) && isText(name) && isSalt(log) && origin === `evenhand/${log}`;
    need(keys.length === HEADING.length && HEADING.every((key) => key in line) && sound, "it is no export of format 2");
    need(first <= size + 1 && Array.isArray(frontier) && frontier.length === ones(first - 1) && frontier.every(isHash), "its sizes are wrong");
    if (!this.origin) {
      Object.assign(this, { origin, begun: first === 1, opening: frontier });
      this.from(first - 1, log, frontier.map(unhex));
    }
    const hashes = this.tree.frontier.map(hex);
    const follows = origin === this.origin && first - 1 === this.seq && frontier.every((hash, place) => hash === hashes[place]);
    need(follows, "is missing: the next file does not go on from the one before", this.seq + 1);
    Object.assign(this, { end: size, checked: -1 });
  }

  line(line) {
    const keys = Object.keys(line).join(), { seq } = this;
    need(!this.keys.pending || keys === "commit,leaves", "is a commit without the hashes of its keys", seq);
    if (keys === "checkpoint") {
      need(line.checkpoint === printCheckpoint(this.origin, this.tree), "does not fit the checkpoint after it: something up to it was changed", seq);
      this.checked = seq;
    } else if (keys === "commit,leaves") {
      need(line.commit === seq, "is not the commit of these keys", seq);
      this.at(seq, () => this.keys.bind(seq, line.leaves));
    } else if (keys !== "about") {
      need(seq % 100 || seq === this.start || this.checked === seq, "is not followed by a checkpoint", seq);
      this.event(line);
    }
  }

  // Run a check, and report a fault at this event's number.
  at(seq, check) {
    try { return check(); } catch (error) {
      if (error instanceof Broken && error.seq !== undefined) throw error;
      throw new Broken(error instanceof Broken ? error.message : "is not recorded as events are", seq);
    }
  }

  event(event) {
    const seq = this.seq + 1, withheld = Object.keys(event).join() === "leaf,seq" && isHash(event.leaf);
    if (event.seq === undefined) throw new Unreadable("it is no event");
    need(event.seq === seq, `is missing: #${printable(event.seq)} comes next`, seq);
    return this.at(seq, () => {
      if (!withheld) checkFields(event);
      const leaf = leafOf(event);
      this.tree.append(leaf);
      this.flags.push(UNSEEN);
      if (withheld) this.withhold(seq);
      else this.rules(event);
      if (this.seals.has(seq)) {
        need(hex(leaf).startsWith(this.seals.get(seq)), "is not the event that was sealed");
        this.notes.add(`#${seq} is the event that was sealed.`);
      }
      return leaf;
    });
  }

  withhold(seq) {
    this.withheld.add(seq);
    this.keys.withhold(seq);
    this.order.gap += 1;
    this.hands.departures.clear();
    this.rollers.skip(seq);
  }

  rules(event) {
    const { seq, kind, see, target = 0, pub = {} } = event, parts = Object.fromEntries(PARTS.map((name) => [name, value(event, name)]));
    const { what, how } = parts, isRoll = kind === "roll", open = see === "public";
    this.budget.add();
    this.order.check(event, this.notes);
    need(seq > 1 || (pub.format === 2 && pub.log === this.log && pub.origin === this.origin), "does not begin this log");
    need(target < seq, "is about an event after it");
    const aimed = target ? this.flag(target) : 0, about = kind === "reveal" && !event.id ? CALL : Object.hasOwn(ABOUT, kind) ? ABOUT[kind] : 0;
    need(!about || (isRoll && !target) || aimed & (about | UNSEEN), `is a ${kind} about #${target}, which is nothing of that sort`);
    this.flags[seq - this.start - 1] = (kind === "call" ? CALL : 0) | (!open && (isRoll || kind === "call") ? HIDDEN : 0) | ("what" in event && !what ? UNREAD : 0)
      | (["play", "discard", "choose"].includes(kind) ? MOVE : 0) | (isRoll && what ? checkRoll(see, what, how) : 0);
    this.hands.check(event, parts);
    if (isRoll && what && how) this.chosen.check(seq, parts);
    if (kind === "cut" && target === this.start) {
      need(JSON.stringify(pub.frontier) === JSON.stringify(this.opening), "is not the cut before this history");
      this.begun = true;
    }
    if (isRoll) this.countRoll(seq, parts, open, target && aimed & (HIDDEN | UNSEEN));
    const register = isRoll || kind === "restart" ? this.keys.roll(event, parts) : null;
    const moved = kind === "undo" && aimed & MOVE;
    if (what && !moved) this.replay(event, parts, register);
    else if ("what" in event && !moved) this.rollers.skip(seq, kind);
    this.keys.see(event, what);
  }

  // 1.2.1: count a roll by its closed parts, and check that they may be closed.
  countRoll(seq, { who, what, how }, open, called) {
    if (!who || !("user" in who)) this.nameless += 1;
    if (!what || !how) this.closed.add(seq);
    need(!open || what || called, "is public, and does not tell its result");
    if (!open || !what || how) return;
    need(what.spec && WITH_MEMORY.has(ruleOf(what.spec).system), "does not tell how it came about, and has no memory that it could tell");
    const roller = printable(what.roller ?? ""), name = this.hidden.has(roller) || this.hidden.size < MOST ? roller : "other rollers";
    if (!this.hidden.has(name)) this.hidden.set(name, new Spans());
    this.hidden.get(name).add(seq);
  }

  replay(event, parts, register) {
    const { seq, kind } = event, { what, how } = parts, rule = (what.spec ?? "") === "" ? null : ruleOf(what.spec), name = what.roller ?? "";
    need(isText(name), "is not recorded as events are");
    const draws = how && new Draws(how.draws ?? [], register, what?.thrown, what?.d6_only), goesOn = how && "prev" in how;
    if (kind === "undo") this.notes.add(this.rollers.undo(event, what));
    else if (["make", "reset", "restart", "remove", "return"].includes(kind)) this.rollers.change(event, parts, rule, draws);
    if (kind === "restart" && draws?.differs) this.keys.countKeyed(seq, false, true);
    if (kind !== "roll") return;
    let remade = false;
    const make = (memory) => {
      try {
        const next = makeAgain(rule?.law, what, memory, draws, this.budget);
        remade = true;
        return next;
      } catch (error) {
        if (error instanceof NotMadeAgain) return UNKNOWN;
        throw error;
      }
    };
    if (!goesOn && (!rule || rule.title !== null)) {
      need(`${fold(name)} `.startsWith(`${fold(rule?.title ?? "")} `), "is not named as rolls without a roller are");
      if (how) make([]);
    } else if (goesOn || what.practice !== true) this.rollers.roll(event, parts, rule ?? {}, make);
    else {
      this.rollers.practise(parts, rule);
      if (how) make(rule.law ? rule.law.start : []);
    }
    if (!how) return;
    if (remade) this.made += 1;
    else this.unmade += 1;
    if (register) this.keys.countKeyed(seq, remade, draws.differs);
  }

  // 4: return the lines to print for a history that is confirmed up to a number.
  report(upto) {
    const first = this.start + 1, last = this.seq, lines = [UNANCHORED];
    if (upto >= first) lines[0] = `Holds: everything shown up to #${Math.min(upto, last)} is what your checkpoint was made of.`;
    if (upto >= first && upto < last) lines.push(`#${upto + 1} to #${last} are newer, and only consistent in themselves.`);
    const counts = `${this.made} made again, ${this.unmade} not made again, ${this.closed.count} closed in part, ${this.nameless} by nobody named`;
    lines.push(`#${first} to #${last} of ${printable(this.origin)}. Rolls: ${counts}. Events withheld: ${this.withheld}.`);
    if (!this.begun) lines.push(`It is a part: nothing before #${first} is here, and no cut says why.`);
    if (this.closed.count) lines.push(`Closed in part: ${this.closed}.`);
    for (const seq of this.seals.keys()) if (seq < first || seq > last) lines.push(`#${seq}, whose seal you gave, is not here.`);
    lines.push(...this.keys.report());
    for (const [name, spans] of this.hidden) lines.push(`${spans.count} rolls of ${name} closed: ${spans}. ${CLOSED}`);
    return [...lines, ...this.notes.summary("notes")];
  }
}

const CLOSED = "Their memory is hidden from you; a game master's export opens them.";
const UNANCHORED = "Consistent in itself, unanchored: whoever made the file could have made another one. To know, hold a checkpoint that somebody kept against it, in a file: --checkpoint FILE.";

// ---- 3, 4 The verdict

// Check a proof of one event; return its history, and the checkpoint that its path leads to.
function readOne(text, seals) {
  const { event, index, path, checkpoint } = readInclusion(text);
  if (!/^evenhand\/[0-9a-f]{32}$/.test(checkpoint.origin)) throw new Unreadable("its origin is no log's");
  const history = new History(new Set(), seals, index, checkpoint.origin);
  const leaf = history.event(event);
  need(includes(leaf, index, path, checkpoint), "is not in the tree that its proof names", history.seq);
  return [history, [checkpoint]];
}

// Return the largest event number that a person's checkpoints, and `links`, confirm; -1 if none does.
function anchor(own, checkpoints, links) {
  const alike = (first, second) => first.origin === second.origin && first.size === second.size && same(first.root, second.root);
  const among = (all, checkpoint) => all.some((other) => alike(checkpoint, other));
  let best = -1;
  for (const checkpoint of checkpoints) {
    need(!own.length || checkpoint.origin === own[0].origin, `is of another campaign: ${printable(checkpoint.origin)}`, checkpoint.size);
    const mine = own.find(({ size }) => size === checkpoint.size);
    need(!mine || same(mine.root, checkpoint.root), "is not what your checkpoint was made of: something up to it was changed", checkpoint.size);
    if (mine) best = Math.max(best, checkpoint.size);
  }
  for (const { old, path, checkpoint } of links) {
    for (const start of [...checkpoints, ...own].filter(({ size }) => size === old)) {
      need(goesOn(start, path, checkpoint), "is not what the newer checkpoint goes on from", old);
      const tied = (among(own, start) && among(checkpoints, checkpoint)) || (among(checkpoints, start) && (among(own, checkpoint) || !own.length));
      if (tied) best = Math.max(best, old);
    }
  }
  return best;
}

function judge(files, { checkpoints, seals, part: isPart }) {
  const parsed = checkpoints.map(readCheckpoint), links = [], results = [];
  const sealed = new Map(seals.map((seal) => {
    const [, seq, digits] = seal.replaceAll(" ", "").match(new RegExp(`^${NUMBER}=([0-9a-f]{32,64})$`)) ?? [];
    if (!digits) throw new Unreadable("a seal is N=HEX, with 32 digits or more");
    return [Number(seq), digits];
  }));
  const exported = new History(new Set(parsed.map(({ size }) => size)), sealed);
  for (const file of files) {
    const begin = String.fromCharCode(...file.subarray(0, 9)), text = () => DECODER.decode(file);
    if (begin.startsWith("old ")) links.push(readConsistency(text()));
    else if (begin === "c2sp.org/") results.push(readOne(text(), sealed));
    else exported.file(file);
  }
  if (exported.origin) {
    need(exported.begun || isPart, "is missing: the history begins later, and no cut says why", 1);
    exported.roots.set(exported.seq, exported.tree.root);
    results.push([exported, [...exported.roots].map(([size, root]) => ({ origin: exported.origin, size, root }))]);
  }
  if (!results.length) {
    const upto = anchor([], parsed, links);
    return upto > 0 ? [0, [`Holds: it goes on from your checkpoint of #${upto}.`]] : [3, [UNANCHORED]];
  }
  let code = 0;
  const lines = results.flatMap(([history, own]) => {
    const upto = anchor(own, parsed, links), beyond = history === exported ? Math.max(0, ...parsed.map(({ size }) => size)) : 0;
    const early = parsed.filter(({ size }) => history === exported && size < history.start);
    need(beyond <= history.seq || upto === history.seq, `is missing: a checkpoint was shown for ${beyond} events`, history.seq + 1);
    if (upto <= history.start) code = 3;
    return [...early.map(({ size }) => `#${size} is not compared: it lies before #${history.start + 1}.`), ...history.report(upto)];
  });
  return [code, lines];
}

// Return the verdict on files, given as bytes. Code 0: it holds, 3: it is consistent, 1: it is broken, 2: it can't be read.
export function verify(files, { checkpoints = [], seals = [], part: isPart = false } = {}) {
  try {
    const [code, lines] = judge(files, { checkpoints, seals, part: isPart });
    return { code, words: `${lines.join("\n")}\n` };
  } catch (error) {
    if (error instanceof Broken) return { code: 1, words: `Broken: #${error.seq} ${error.message}.\n` };
    return { code: 2, words: `Unreadable: ${error instanceof Unreadable ? error.message : "it can't be read"}.\n` };
  }
}
