"""A translator's file: gettext's PO read and written, its faults, and the MO that the bot reads."""

import re
import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from string import Formatter
from typing import TypeAlias

from bot.words.games import TYPED
from tools.messages import Sentence
from tools.words_of_games import CONTEXT

Key: TypeAlias = tuple[str, str]
"""A text for one, behind its context if it has one, and for more or ""."""
PLURALS = {
    "de": "nplurals=2; plural=(n != 1);",
    "es": "nplurals=2; plural=(n != 1);",
    "fr": "nplurals=2; plural=(n > 1);",
    "pt-BR": "nplurals=2; plural=(n > 1);",
}
"""How languages count; of others, whoever makes the file says it in its head."""
NOT_READ = "Not yet read by a native speaker."
_COUNT = re.compile(r"nplurals=(\d+)")
_LINE = re.compile(r'^(?:(msgctxt|msgid|msgid_plural|msgstr)(?:\[(\d+)\])? )?"(.*)"$')
_ONE_WORD = re.compile(r"[^\W\d_]\w*")
_SIGNS = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}
_BACK = {after[1]: before for before, after in _SIGNS.items()}
_MAGIC = 0x950412DE


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The texts of a language: what stands first in its file, its head, and each text's translations."""

    notes: str = NOT_READ
    head: str = ""
    said: Mapping[Key, tuple[str, ...]] = field(default_factory=dict[Key, tuple[str, ...]])

    @property
    def plurals(self) -> int:
        """Return how many forms a text that counts has."""
        found = _COUNT.search(self.head)
        return int(found[1]) if found else 2


def fresh(code: str) -> Catalogue:
    """Return a catalogue without texts."""
    plural = PLURALS.get(code, PLURALS["de"])
    head = {"Language": code, "Content-Type": "text/plain; charset=UTF-8", "Plural-Forms": plural}
    return Catalogue(head="".join(f"{name}: {value}\n" for name, value in head.items()))


def merged(old: Catalogue, sentences: Iterable[Sentence]) -> Catalogue:
    """Return a catalogue with exactly these texts, and the translations that there were."""
    said: dict[Key, tuple[str, ...]] = {}
    for one in sentences:
        forms = old.plurals if one.many else 1
        said[one.one, one.many] = old.said.get((one.one, one.many), ("",) * forms)
    return replace(old, said=said)


def read(text: str) -> Catalogue:
    """Return the catalogue of a PO file."""
    notes, entries = [], list[dict[str, str]]()
    part = ""
    for line in text.splitlines():
        if line.startswith("# ") and not entries:
            notes.append(line[2:])
        if not (found := _LINE.match(line)):
            continue
        name, form, words = found.groups()
        if name:
            if name == "msgctxt" or (name == "msgid" and part != "msgctxt"):
                entries.append({})
            part = f"{name}{form or ''}"
        entries[-1][part] = entries[-1].get(part, "") + re.sub(r"\\(.)", lambda m: _BACK[m[1]], words)
    said = {
        (
            (f"{context}{CONTEXT}" if (context := one.get("msgctxt")) else "") + one["msgid"],
            one.get("msgid_plural", ""),
        ): tuple(words for name, words in one.items() if name.startswith("msgstr"))
        for one in entries
    }
    head = said.pop(("", ""), ("",))[0]
    return Catalogue("\n".join(notes), head, said)


def written(catalogue: Catalogue, sentences: Iterable[Sentence]) -> str:
    """Return the PO file of a catalogue, with the places and limits of its texts."""
    places: dict[Key, list[Sentence]] = {}
    for one in sentences:
        places.setdefault((one.one, one.many), []).append(one)
    lines = [
        *(f"# {line}" for line in catalogue.notes.split("\n")),
        'msgid ""',
        *_quoted("msgstr", catalogue.head),
    ]
    for (one, many), said in catalogue.said.items():
        found = places.get((one, many), [])
        lines.append("")
        if limits := [each.limit for each in found if each.limit]:
            lines.append(f"#. at most {min(limits)} characters")
        lines += [f"#. {each.note}" for each in found if each.note]
        lines += [f"#: {path}" for path in dict.fromkeys(each.path for each in found)]
        context, sign, text = one.rpartition(CONTEXT)
        lines += _quoted("msgctxt", context) if sign else []
        lines += _quoted("msgid", text)
        lines += _quoted("msgid_plural", many) if many else []
        for form, words in enumerate(said):
            lines += _quoted(f"msgstr[{form}]" if many else "msgstr", words)
    return "\n".join(lines) + "\n"


def _quoted(name: str, text: str) -> list[str]:
    """Return a text as PO writes it, a line of the file for each of its lines."""
    parts = [re.sub(r'[\\"\n\t]', lambda m: _SIGNS[m[0]], part) for part in text.splitlines(keepends=True)]
    if len(parts) < 2:
        return [f'{name} "{"".join(parts)}"']
    return [f'{name} ""', *(f'"{part}"' for part in parts)]


def faults(catalogue: Catalogue, sentences: Iterable[Sentence]) -> Iterator[str]:
    """Yield what is wrong with the translations that there are."""
    limits = {(one.one, one.many): one.limit for one in sentences}
    for (one, many), said in catalogue.said.items():
        if not any(said):
            continue
        named = repr(one[:60])
        if len(said) != (catalogue.plurals if many else 1) or not all(said):
            yield f"{named}: a form is missing"
        for words in filter(None, said):
            if (wrong := _places(words) ^ (_places(one) | _places(many))) - {"n"}:
                yield f"{named}: {', '.join(sorted(wrong))} on one side alone"
            if (limit := limits.get((one, many), 0)) and len(words) > limit:
                yield f"{named}: {len(words)} characters, and {limit} fit"
            if one.startswith(TYPED) and CONTEXT in one and not _ONE_WORD.fullmatch(words):
                yield f"{named}: {words!r} is typed, so it is one word of letters and digits"


def _places(text: str) -> set[str]:
    """Return the names of a text's values; a text that can't be read has one that no other has."""
    try:
        return {name for _, name, _, _ in Formatter().parse(text) if name is not None}
    except ValueError:
        return {text}


def compiled(catalogue: Catalogue) -> bytes:
    """Return the MO file of a catalogue: gettext's table of texts, sorted by the English ones."""
    texts = {"": catalogue.head}
    for (one, many), said in catalogue.said.items():
        if all(said):
            texts[f"{one}\0{many}" if many else one] = "\0".join(said)
    pairs = sorted((key.encode(), value.encode()) for key, value in texts.items())
    first, data = 28 + 16 * len(pairs), b""
    tables: list[list[int]] = [[], []]
    for table, column in zip(tables, (0, 1), strict=True):
        for pair in pairs:
            table += [len(pair[column]), first + len(data)]
            data += pair[column] + b"\0"
    head = struct.pack("<7I", _MAGIC, 0, len(pairs), 28, 28 + 8 * len(pairs), 0, 0)
    return head + b"".join(struct.pack(f"<{len(table)}I", *table) for table in tables) + data
