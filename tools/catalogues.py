"""A language's texts: its file for translators, their faults, and what the bot reads; Babel does the work."""

import re
from collections.abc import Iterable, Iterator
from io import BytesIO
from string import Formatter

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from bot.words.games import TYPED
from bot.words.numbers import SIGNS
from tools.messages import Sentence
from tools.words_of_games import CONTEXT

_ONE_WORD = re.compile(r"[^\W\d_]\w*")
_PER_CENT = re.compile(r"(?<=[\d}])[ \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}]?%(?![\w}])")
"""Behind a figure; nobody sees which blank they typed before it."""
_NOT_READ = "# Not yet read by a native speaker."


def fresh(code: str) -> Catalog:
    """Return a catalogue without texts, which counts as that language does."""
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
    """Give a catalogue exactly these texts, with their places and limits; it keeps its translations.

    In these the sign for per cent stands as the language writes it.
    """
    template = Catalog()
    limits = _limits(sentences)
    for one in sentences:
        context, _, text = one.one.rpartition(CONTEXT)
        limit = limits.get((one.one, one.many))
        notes = [f"at most {limit} characters"] if limit else []
        template.add(
            (text, one.many) if one.many else text,
            locations=[(one.path, 0)],
            auto_comments=[*notes, *filter(None, [one.note])],
            context=context or None,
        )
    catalogue.update(template, no_fuzzy_matching=True, update_creation_date=False)
    signs = SIGNS.get(str(catalogue.locale_identifier).replace("_", "-"))
    for message in catalogue:
        message.flags.discard("python-format")  # a sign for per cent is no value here
        if signs and message.id and any(forms(message.string)):
            said = tuple(_PER_CENT.sub(signs.percent, text) for text in forms(message.string))
            message.string = said if message.pluralizable else said[0]


def read(file: bytes, code: str) -> Catalog:
    """Return the catalogue of a PO file; PoFileError where it is none."""
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
    """Yield the texts of a catalogue; its head is none."""
    return (message for message in catalogue if message.id)


def forms(text: str | Iterable[str] | None) -> tuple[str, ...]:
    """Return a text's forms for one and for more, or the one that it has."""
    return (text or "",) if isinstance(text, str | None) else tuple(text)


def faults(catalogue: Catalog, sentences: Iterable[Sentence]) -> Iterator[str]:
    """Yield what is wrong with the translations that there are."""
    limits = _limits(sentences)
    for message in texts(catalogue):
        english, said = forms(message.id), forms(message.string)
        if not any(said):
            continue
        named = repr(english[0][:60])
        if len(said) != (catalogue.num_plurals if message.pluralizable else 1) or not all(said):
            yield f"{named}: a form is missing"
        wanted = {place for text in english for place in _places(text)}
        limit = limits.get(_key(message), 0)
        for words in filter(None, said):
            if (wrong := _places(words) ^ wanted) - {"n"}:
                yield f"{named}: {', '.join(sorted(wrong))} on one side alone"
            if limit and len(words) > limit:
                yield f"{named}: {len(words)} characters, and {limit} fit"
            if (message.context or "").startswith(TYPED) and not _ONE_WORD.fullmatch(words):
                yield f"{named}: {words!r} is typed, so it is one word of letters and digits"


def _limits(sentences: Iterable[Sentence]) -> dict[tuple[str, str], int]:
    """Return how many characters fit, of texts for which there is little room somewhere."""
    found: dict[tuple[str, str], int] = {}
    for one in sentences:
        if one.limit:
            key = one.one, one.many
            found[key] = min(one.limit, found.get(key, one.limit))
    return found


def _key(message: Message) -> tuple[str, str]:
    one, *more = forms(message.id)
    return f"{message.context}{CONTEXT}{one}" if message.context else one, "".join(more)


def _places(text: str) -> set[str]:
    """Return the names of a text's values; a text that can't be read has one that no other has."""
    try:
        return {name for _, name, _, _ in Formatter().parse(text) if name is not None}
    except ValueError:
        return {text}
