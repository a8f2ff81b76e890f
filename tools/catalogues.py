"""Catalogues of translated texts: read, merge, check, write and compile them, with Babel."""

import re
from collections.abc import Iterable, Iterator
from io import BytesIO
from string import Formatter

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from bot.words.games import TYPED
from bot.words.languages import SIGNS
from tools.messages import Sentence
from tools.words_of_games import CONTEXT

_ONE_WORD = re.compile(r"[^\W\d_]\w*")
_PER_CENT = re.compile(r"(?<=[\d}])[ \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}]?%(?![\w}])")
"""A per cent sign after a number, with any kind of blank between them."""
_NOT_READ = "# Not yet read by a native speaker."


def fresh(code: str) -> Catalog:
    """Return an empty catalogue with the plural forms of a language."""
    return Catalog(
        code.replace("-", "_"),
        project="Evenhand",
        version="1",
        msgid_bugs_address="the issue form A translation sounds odd",
        last_translator="nobody yet",
        header_comment=_NOT_READ,
        fuzzy=False,
    )


def merge(catalogue: Catalog, sentences: Iterable[Sentence]) -> None:
    """Set the texts of a catalogue, with their places and limits, and keep its translations.

    Write per cent signs in the translations as the language does.
    """
    template = Catalog()
    limits = _limits(sentences)
    for sentence in sentences:
        context, _, text = sentence.one.rpartition(CONTEXT)
        limit = limits.get((sentence.one, sentence.many))
        notes = [f"at most {limit} characters"] if limit else []
        template.add(
            (text, sentence.many) if sentence.many else text,
            locations=[(sentence.path, 0)],
            auto_comments=[*notes, *filter(None, [sentence.note])],
            context=context or None,
        )
    catalogue.update(template, no_fuzzy_matching=True, update_creation_date=False)
    signs = SIGNS.get(str(catalogue.locale_identifier).replace("_", "-"))
    for message in catalogue:
        message.flags.discard("python-format")  # a per cent sign is no placeholder here
        if signs and message.id and any(forms(message.string)):
            translations = tuple(_PER_CENT.sub(signs.percent, text) for text in forms(message.string))
            message.string = translations if message.pluralizable else translations[0]


def read(file: bytes, code: str) -> Catalog:
    """Return the catalogue of a PO file; raise PoFileError if it is none."""
    return read_po(BytesIO(file), code.replace("-", "_"), abort_invalid=True)


def written(catalogue: Catalog) -> bytes:
    """Return the PO file of a catalogue."""
    file = BytesIO()
    write_po(file, catalogue, width=0, ignore_obsolete=True, include_lineno=False)
    return file.getvalue()


def compiled(catalogue: Catalog) -> bytes:
    """Return the MO file of a catalogue."""
    file = BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def texts(catalogue: Catalog) -> Iterator[Message]:
    """Yield the messages of a catalogue without its header."""
    return (message for message in catalogue if message.id)


def forms(text: str | Iterable[str] | None) -> tuple[str, ...]:
    """Return the forms of a text: singular and plurals, or the only one."""
    return (text or "",) if isinstance(text, str | None) else tuple(text)


def faults(catalogue: Catalog, sentences: Iterable[Sentence]) -> Iterator[str]:
    """Yield a sentence for each fault of a translation."""
    limits = _limits(sentences)
    for message in texts(catalogue):
        english, translated = forms(message.id), forms(message.string)
        if not any(translated):
            continue
        name = repr(english[0][:60])
        if len(translated) != (catalogue.num_plurals if message.pluralizable else 1) or not all(translated):
            yield f"{name}: a form is missing"
        placeholders = {place for text in english for place in _places(text)}
        limit = limits.get(_key(message), 0)
        for words in filter(None, translated):
            if (wrong := _places(words) ^ placeholders) - {"n"}:
                yield f"{name}: {', '.join(sorted(wrong))} on one side alone"
            if limit and len(words) > limit:
                yield f"{name}: {len(words)} characters, and {limit} fit"
            one_word = words.replace(" ", "") if " " in english[0] else words
            if (message.context or "").startswith(TYPED) and not _ONE_WORD.fullmatch(one_word):
                yield f"{name}: {words!r} is typed, so it is one word of letters and digits"


def _limits(sentences: Iterable[Sentence]) -> dict[tuple[str, str], int]:
    """Return the most characters of each text that has a limit."""
    limits: dict[tuple[str, str], int] = {}
    for sentence in sentences:
        if sentence.limit:
            key = sentence.one, sentence.many
            limits[key] = min(sentence.limit, limits.get(key, sentence.limit))
    return limits


def _key(message: Message) -> tuple[str, str]:
    text, *more = forms(message.id)
    return f"{message.context}{CONTEXT}{text}" if message.context else text, "".join(more)


def _places(text: str) -> set[str]:
    """Return the names of a text's placeholders; for an invalid text the text itself, as if it were one."""
    try:
        return {name for _, name, _, _ in Formatter().parse(text) if name is not None}
    except ValueError:
        return {text}
