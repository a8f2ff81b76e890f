"""Text for Discord: safe, cut to fit, and numbers as people say them."""

import re
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.campaign.d100_rolls import METHODS
from bot.charts.faces import all_faces
from bot.dice.draws import seeded
from bot.dice.expressions import Expression
from bot.dice.notation import parse
from bot.dice.throws import roll
from bot.systems.decks import Decks
from bot.systems.luck import ACCOUNT_UNIT
from bot.systems.registry import read_spec
from bot.words.checks import balance
from bot.words.languages import PSEUDO, language, speaking
from bot.words.outcomes import offers
from bot.words.pictures import face_name
from bot.words.text import (
    CUT,
    capital,
    code,
    cut,
    dice_shown,
    escape,
    everyday_share,
    lines_within,
    listed,
    mention,
    natural,
    percent,
    pictured,
    readings,
)
from tests.support.expressions import rolls
from tests.support.tapes import Tape

TRICKY = st.text(st.sampled_from("ab*_~`|<>@\\[]() 1é\u202e"), max_size=80) | st.text(max_size=80)


def unescape(text: str) -> str:
    """What Discord shows of an escaped text."""
    isolated = re.fullmatch("\u2068(.*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc].*)\u2069", text, re.DOTALL)
    text = isolated[1] if isolated else text
    return re.sub(r"\\([\\*_~`|<>@\]])", r"\1", text)


@given(TRICKY)
def test_escaped_text_reads_as_it_was(text: str) -> None:
    """Without the signs that were added it is the same text, and no sign of markup stands alone."""
    escaped = escape(text)

    assert unescape(escaped) == text
    assert not re.search(r"[*_~`|<>@]|\]\(", re.sub(r"\\.", "x", escaped))


@given(TRICKY, st.integers(1, 90))
def test_cut_text_fits(text: str, room: int) -> None:
    """It has at most so many characters, and begins as the text does; a text that fits is whole."""
    shown = cut(text, room)

    assert len(shown) <= room
    if shown != escape(text):
        assert shown.endswith(CUT)
        assert text.startswith(unescape(shown.removesuffix(CUT)))
        assert len(escape(text)) > room


@given(st.lists(TRICKY, min_size=1, max_size=40), st.integers(10, 400))
def test_lists_fit(texts: list[str], room: int) -> None:
    """A list has at most so many characters; where it fits it is whole, else its end says so."""
    shown = listed(texts, room)

    assert len(shown) <= room
    assert shown == " · ".join(map(escape, texts)) or shown.endswith(CUT)


@given(TRICKY, st.integers(1, 90))
def test_code_can_not_be_ended(text: str, room: int) -> None:
    """Code has its two signs at the ends and none within."""
    shown = code(text, room)

    assert (shown[0], shown[-1], shown.count("`")) == ("`", "`", 2)
    assert len(shown) <= room + 2


def test_a_name_in_hebrew_or_arabic_keeps_the_dice_beside_it_in_order() -> None:
    """It is isolated, where it stands in a line of other texts."""
    assert listed(["גניבה", "2d6+3"], 40) == "\u2068גניבה\u2069 · 2d6+3"
    assert escape("Mörk*") == "Mörk\\*"


def test_cutting_is_at_the_last_sign_that_fits() -> None:
    """A sign and the one before it that escapes it are never parted."""
    assert cut("a*b*c", 7) == "a\\*b\\*c"
    assert cut("a*b*c", 6) == "a\\*b…"
    assert listed(["12", "7", "3"], 100) == "12 · 7 · 3"
    assert listed(["12", "7", "3"], 9) == "12 · …"
    assert listed(["1234567890123"], 13) == "1234567890123"


@pytest.mark.parametrize(("user_id", "shown"), [(42, "<@42>"), (None, "an erased player")])
def test_people_are_mentioned_unless_erased(user_id: int | None, shown: str) -> None:
    """A person is shown by Discord's mention, one that was erased by words."""
    assert mention(user_id) == shown


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        (1, "nearly all"),
        (0.62, "about 6 in 10"),
        (0.5, "about 1 in 2"),
        (0.125, "about 1 in 8"),
        (1e-6, "fewer than 1 in 2,000"),
    ],
)
def test_chances_as_people_say_them(chance: float, words: str) -> None:
    """Round, and never nought."""
    assert everyday_share(chance) == words
    assert capital(words)[0].isupper()


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        ("0", "0"),
        ("1", "100"),
        ("1/6", "16.7"),
        ("1/2", "50.0"),
        ("1/100", "1.0"),
        ("1/360", "0.28"),
        ("1/10000", "0.01"),
        ("1/10001", "<0.01"),
        ("9995/10000", "100.0"),
        ("99951/100000", ">99.9"),
    ],
)
def test_percent(chance: str, text: str) -> None:
    """Per cent have one decimal, below one two; only what is certain reads 0 or 100."""
    assert percent(Fraction(chance)) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        *(("passes by 4", "Passes by 4"), ("“just” passes", "“Just” passes"), ("**élan**", "**Élan**")),
        *(
            ("<:crit:1> passes", "<:crit:1> passes"),
            ("`luck` is full", "`luck` is full"),
            ("1 in 5", "1 in 5"),
        ),
    ],
)
def test_sentences_begin_with_a_capital(text: str, shown: str) -> None:
    """Marks before it stay, and so do emoji and code."""
    assert capital(text) == shown


def test_lines_that_do_not_fit_are_counted() -> None:
    """Lines that fit are whole; of more than that, the first are shown and the others counted."""
    assert lines_within(["a", "b"], 4) == "a\nb"
    assert lines_within(["aaa", "bbb", "ccc"], 5) == "aaa\n… and 2 more"
    assert lines_within([], 5) == ""


def shown(text: str, *faces: int, room: int = 900) -> str:
    """The dice of a notation when they fall so."""
    return dice_shown(roll(parse(text), Tape([face - 1 for face in faces])), room)


@pytest.mark.parametrize(
    ("text", "faces", "expected"),
    [
        ("d20", (13,), "1d20 (13)"),
        ("2d6+3", (2, 5), "2d6 (2, 5) + 3"),
        ("4d6kh3 [fire] + 3", (6, 5, 1, 3), "4d6kh3 [fire] (6, 5, ~~1~~, 3) + 3"),
        ("2d20kl1", (9, 9), "2d20kl1 (9, ~~9~~)"),
        ("2d6!", (6, 6, 2, 3), "2d6! (6+6+2, 3)"),
        ("2d6!kh1", (6, 2, 3), "2d6!kh1 (6+2, ~~3~~)"),
        ("2d6ro<2", (1, 1, 4), "2d6ro\\<2 (1→1, 4)"),
        ("3d10>=7", (7, 6, 10), "3d10\\>=7 (**7**, 6, **10**)"),
        ("d6*2", (3,), "1d6 (3) \\* 2"),
        ("2d6min2", (1, 4), "2d6min2 (1→2, 4)"),
        ("2d6!p", (6, 4, 2), "2d6!p (6+4→3, 2)"),
        ("2d6!skh1", (6, 4, 2), "2d6!skh1 (6, ~~4~~, ~~2~~)"),
        ("{2d6,d8}kh1", (3, 4, 5), "{2d6 (3, 4) = 7, 1d8 (5) = 5}kh1"),
        ("{2d6+d8}k2", (3, 4, 5), "{2d6 (~~3~~, 4) + 1d8 (5)}kh2"),
        ("(d4)d6", (2, 4, 5), "(1d4 (2)) → 2d6 (4, 5)"),
        ("3d6k{>3}", (3, 4, 5), "3d6k{\\>3} (~~3~~, 4, 5)"),
        ("(d6+1[x])[y]", (6,), "(1d6 (6) + 1 [x]) [y]"),
    ],
)
def test_dice_are_shown_as_they_fell(text: str, faces: tuple[int, ...], expected: str) -> None:
    """Dropped dice are struck, successes bold, rerolls and explosions in order, signs escaped."""
    assert shown(text, *faces) == expected


PICTURES = {name: f"<:{name}:1>" for name in (face_name(*face) for face in all_faces())}


@pytest.mark.parametrize(
    ("text", "faces", "expected"),
    [
        ("2d20kh1+3", (17, 3), "<:d20_17:1> <:d20_3_dropped:1> + 3"),
        ("2d10>=7", (7, 6), "<:d10_7_success:1> <:d10_6:1>"),
        ("2d6!+d4", (6, 2, 3, 4), "<:d6_6:1>+<:d6_2:1> <:d6_3:1> + <:d4_4:1>"),
        ("2d6ro<2", (1, 1, 4), "<:d6_1_dropped:1><:d6_1:1> <:d6_4:1>"),
        ("2d6min2", (1, 4), "1→2, <:d6_4:1>"),
        ("d8[fire]+d100", (3, 57), "<:d8_3:1> fire + 1d100 (57)"),
        ("d7", (5,), ""),
        ("dF", (3,), ""),
        ("d{2,3,5}", (2,), ""),
    ],
)
def test_dice_are_drawn_where_there_are_pictures(text: str, faces: tuple[int, ...], expected: str) -> None:
    """What a die rerolled or exploded into is drawn with it; odd dice stay text."""
    throw = roll(parse(text), Tape([face - 1 for face in faces]))

    assert pictured(throw, PICTURES) == expected
    assert not pictured(throw, {})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2d1[fire]+1d1[cold]", " · 2 fire, 1 cold, 3 in all"),
        ("5+(2d1+3)[fire]-1d1[cold]+1d1[fire]", " · 6 fire, -1 cold, 5 more, 10 in all"),
        ("{2d1+1d1}kh1[fire]+1d1[cold]", " · 1 fire, 1 cold, 2 in all"),
        ("2d1[fire]+1d1[fire]+3", ""),
        ("2d1[fire]+3", ""),
        ("(1d1[fire]+1d1[cold])*2", ""),
    ],
)
def test_each_tag_has_its_own_total(text: str, said: str) -> None:
    """Two tags or more are added up apart, in the order typed; a product has no such parts."""
    assert readings(roll(parse(text), seeded(1))) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("5d10>8", " · above 8"),
        ("5d10<3+4d6>4", " · below 3 · above 4"),
        ("3d10!k2", " · a die counts with all it exploded into"),
        ("3d10!sk2+5d10>=8", ""),
        ("2d6!+4d6kh3", ""),
    ],
)
def test_what_others_read_otherwise_is_named(text: str, said: str) -> None:
    """A strict comparison and kept explosions are put into words, and nothing else is."""
    assert readings(roll(parse(text), seeded(1))) == said


@pytest.mark.parametrize(
    ("text", "faces", "said"),
    [
        ("1d20+5", (20,), "natural 20"),
        ("1d20+5", (1,), "natural 1"),
        ("1d20+5", (19,), ""),
        ("2d20kh1+5", (3, 20), "natural 20"),
        ("2d20kl1", (3, 20), ""),
        ("2d20", (20, 1), ""),
        ("1d20+1d4", (20, 1), ""),
        ("1d100", (100,), "natural 100"),
        ("1d6", (6,), ""),
        ("1d20>=15", (20,), ""),
    ],
)
def test_naturals_are_named(text: str, faces: tuple[int, ...], said: str) -> None:
    """The ends of a single kept d20 or d100 have a name; nothing else has."""
    assert natural(roll(parse(text), Tape([face - 1 for face in faces]))) == said


def test_many_dice_are_cut() -> None:
    """Of too many dice each pool shows its first, and how many more there are."""
    assert shown("9d6", *[6] * 9, room=30) == "9d6 (6, 6, 6, 6, … 5 more)"
    assert shown("9d6", *[6] * 9, room=16) == "9d6 (… 9 more)"
    assert shown("9d6+d4", *[6] * 9, 1, room=9) == "…"


def test_a_long_sum_is_cut() -> None:
    """Of a sum that is too long its beginning is shown."""
    assert shown("d6" + "+1" * 20, 3, room=22) == "1d6 (3) + 1 + 1 + 1 …"


@settings(max_examples=60)
@given(rolls(), st.integers(0, 10**6), st.integers(1, 300) | st.just(900))
def test_dice_keep_to_their_room(expression: Expression, seed: int, room: int) -> None:
    """Whatever was rolled, it has at most so many characters, and its markup is in pairs."""
    text = dice_shown(roll(expression, seeded(seed)), room)

    assert len(text) <= room
    assert text.count("~~") % 2 == text.count("**") % 2 == 0


def decks(spec: dict[str, dict[str, int]]) -> Decks:
    """Several decks."""
    system = read_spec({"system": "decks", "decks": spec})
    assert isinstance(system, Decks)
    return system


SMALL = decks({"attack": {"sword": 3, "bow": 3}, "other": {"spy": 3}})


def test_one_offer_is_one_line() -> None:
    """Each card stands behind its category."""
    assert offers(SMALL, ["bow", "spy"], 500) == "attack: **bow** · other: **spy**"


def test_several_offers_are_numbered() -> None:
    """Each offer has its own line."""
    lines = offers(SMALL, ["bow", "spy", "sword", "spy"], 500).splitlines()

    assert lines == ["1. attack: **bow** · other: **spy**", "2. attack: **sword** · other: **spy**"]


def test_markup_stays_text() -> None:
    """Signs that mean something to Discord are shown."""
    assert offers(decks({"*a*": {"_b_": 1}}), ["_b_"], 500) == r"\*a\*: **\_b\_**"


@pytest.mark.parametrize("room", [60, 400, 1_900])
def test_never_longer_than_the_room(room: int) -> None:
    """Twenty offers of ten decks with long names still fit; then only cards are shown."""
    many = decks({f"{n} {'c' * 70}": {f"{n} {'*' * 70}": 1} for n in range(10)})
    text = offers(many, many.faces * 20, room)

    assert len(text) <= room
    assert text.startswith("**0 ")


@pytest.mark.parametrize("method", METHODS)
def test_what_is_done_with_a_methods_dice_is_said_in_the_readers_language(method: str) -> None:
    """In whole clauses, on every way that the dice can take; what was recorded stays English."""
    system, draws = METHODS[method], seeded(3)
    memory = system.start()
    for _ in range(30):
        throw, memory = system.throw(memory, draws)
        english = dice_shown(throw, 2_000)
        with speaking(language(PSEUDO)):
            said = dice_shown(throw, 2_000)

        assert english == dice_shown(throw, 2_000) != said
        assert re.findall(r"[A-Za-z]{2,}", said) == []


def test_where_an_account_stands_is_written_as_the_language_does() -> None:
    """With its point between whole figures and the rest."""
    memory = (-ACCOUNT_UNIT * 13 // 20,)

    assert balance(memory) == "0.65 passes behind"
    with speaking(language("de")):
        assert "0,65 " in balance(memory)
