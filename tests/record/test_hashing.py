import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.record.hashing import (
    DEEPEST_NESTING,
    LARGEST_NUMBER,
    LONGEST_LINE,
    NotCanonical,
    Value,
    canon,
    read_line,
)

NUMBERS = st.integers(-LARGEST_NUMBER, LARGEST_NUMBER)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
KEYS = st.text("abcxyz019_", min_size=1, max_size=12)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda values: st.lists(values) | st.dictionaries(KEYS, values),
    max_leaves=10,
)
OBJECTS = st.dictionaries(KEYS, VALUES, max_size=4)


def by_hand(value: Value) -> str:
    """Write a value as RFC 8785 says, letter by letter."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case str():
            return '"' + "".join(_letter(letter) for letter in value) + '"'
        case list():
            return "[" + ",".join(map(by_hand, value)) + "]"
        case dict():
            keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
            return "{" + ",".join(f"{by_hand(key)}:{by_hand(value[key])}" for key in keys) + "}"


def _letter(letter: str) -> str:
    short = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return short.get(letter) or (f"\\u{ord(letter):04x}" if letter < " " else letter)


@given(VALUES)
def test_canonical_bytes_are_those_of_the_rfc(value: Value) -> None:
    """One call of `json` writes what RFC 8785 says, for every value that can be recorded."""
    assert canon(value) == by_hand(value).encode()


@given(OBJECTS)
def test_a_canonical_line_reads_back_and_no_other(value: Value) -> None:
    """What was written is read again as it was; blanks and line ends make another line, which is not read."""
    assert read_line(canon(value) + b"\n") == value
    styles: list[dict[str, Any]] = [{"indent": 1}, {"separators": (", ", ": ")}]
    for style in styles if value else []:
        with pytest.raises(NotCanonical):
            read_line(json.dumps(value, ensure_ascii=False, sort_keys=True, **style).encode() + b"\n")


@pytest.mark.parametrize(
    "line",
    [
        b'{"a":1,"a":1}\n',
        b'{"a":1,"a":2}\n',
        b'{"b":1,"a":2}\n',
        b'{"a":"\\u0062"}\n',
        b'{"a":"\\/"}\n',
        b'{"a":"\\u000A"}\n',
        b'{"a":1.0}\n',
        b'{"a":1e3}\n',
        b'{"a":-0}\n',
        b'{"a":01}\n',
        b'{"a":NaN}\n',
        b'{"a":Infinity}\n',
        b'{"a":9007199254740992}\n',
        b'{"a":-9007199254740992}\n',
        b'{"a":' + b"1" * 400 + b"}\n",
        b'{"a":' + b"1" * 5_000 + b"}\n",
        b'{"a":"\\ud800"}\n',
        b'{"a":"\xed\xa0\x80"}\n',
        b'{"a":"\xff"}\n',
        b'{"A":1}\n',
        b'{"":1}\n',
        '{"ä":1}\n'.encode(),
        b'\xef\xbb\xbf{"a":1}\n',
        '{"a":1}\n'.encode("utf-16"),
        b"[1]\n",
        b'"a"\n',
        b"\n",
        b"{}",
        b'{"a":1}\r\n',
        b'{"a":1} \n',
        b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n",
        b'{"a":"' + b"x" * LONGEST_LINE + b'"}\n',
    ],
    ids=lambda line: line[:24].decode("latin-1"),
)
def test_a_line_that_could_be_read_in_two_ways_is_refused(line: bytes) -> None:
    """Every line that is not the one way to write an object is refused, and nothing else happens."""
    with pytest.raises(NotCanonical):
        read_line(line)


def test_nesting_has_an_end() -> None:
    """32 levels can be written; 33 can't."""
    value: Value = 1
    for _ in range(DEEPEST_NESTING):
        value = [value]

    assert canon(value) == b"[" * DEEPEST_NESTING + b"1" + b"]" * DEEPEST_NESTING
    with pytest.raises(NotCanonical, match="nested"):
        canon([value])


@pytest.mark.parametrize("value", [1.5, float("nan"), (1, 2), b"a", {"a": object()}, {"a b": 1}, "\ud800"])
def test_what_the_format_does_not_have_is_not_written(value: Any) -> None:
    """Fractions, bytes, tuples, odd keys and halves of surrogates have no canonical form."""
    with pytest.raises(NotCanonical):
        canon(value)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"\x1f\x8b\x08\n", "unpack"),
        (b"\xef\xbb\xbf{}\n", "byte-order mark"),
        (b"\xef\xbb\xbfnumber,time (UTC),player\r\n", "format:json"),
        (b"{}\r\n", "CR LF"),
        (b"{}", "cut off"),
        (b"\xff\n", "UTF-8"),
        (b"hello\n", "JSON"),
    ],
)
def test_what_happened_to_a_file_is_told(line: bytes, why: str) -> None:
    """What programs do to files on their way is named, so that whoever has one knows what to do."""
    with pytest.raises(NotCanonical, match=why):
        read_line(line)
