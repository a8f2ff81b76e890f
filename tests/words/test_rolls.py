import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.campaign.campaigns import Footer
from bot.campaign.d100_rolls import roll_register
from bot.campaign.events import Event
from bot.campaign.kinds import Visibility
from bot.campaign.replay import RollResult, read_roll
from bot.dice.draws import Source, seeded
from bot.dice.expressions import Expression
from bot.dice.names import LABEL_LIMIT
from bot.dice.system import Json, Spec
from bot.record.checkpoint import Checkpoint
from bot.record.hashing import seal as sealed
from bot.rulebooks.book import builtin_games
from bot.rulebooks.words import understand
from bot.systems.checks import CheckTerms
from bot.systems.game import game_roll
from bot.systems.registry import read_spec
from bot.words import rolls as words
from bot.words.cards import Card, Tone, plain
from bot.words.rolls import RollReply, brief
from bot.words.text import MESSAGE_LIMIT
from tests.support.expressions import rolls
from tests.support.markup import bare
from tests.support.play import PLAYER, Campaign, rolled, rolled_with
from tests.support.systems import make

GM = 987_654_321_098_765_432
TRICKY = st.text(st.sampled_from("ab*_~`|<@1>\\[]()#"), min_size=1, max_size=6)
LONG_TRICKY = TRICKY.map(lambda text: (text * 80)[:80])


def result(throw: RollResult) -> str:
    """What came out, as plain text."""
    return plain(Card(words.result(throw)))


def answer(
    throw: RollResult,
    late: Sequence[Event] = (),
    checkpoint: Checkpoint | None = None,
    footer: Footer = Footer.SHORT,
    **more: Any,
) -> str:
    """The reply to a roll, as plain text."""
    return plain(words.answer(RollReply(throw, late, checkpoint), footer, **more))


def revealed(throw: RollResult, by: int) -> str:
    """What everybody is shown of a revealed roll, as plain text."""
    return plain(words.revealed(throw, by))


def hidden(event: Event) -> str:
    """What everybody sees of a hidden roll, as plain text."""
    return plain(words.hidden(event))


def check(text: str) -> None:
    """The text fits a message, mentions only who is in it, and its markup is in pairs."""
    assert len(text) <= MESSAGE_LIMIT
    left = bare(text)
    assert "`" not in left
    assert {*re.findall(r"<@[^>]*>?", left)} <= {f"<@{PLAYER}>", f"<@{GM}>"}
    assert "@everyone" not in left
    for line in left.splitlines():
        assert line.count("**") % 2 == line.count("~~") % 2 == 0
        assert not re.search(r"[*_~|]", line.replace("**", "").replace("~~", ""))


def test_the_result_comes_first() -> None:
    """One line with the total bold and the dice, dropped ones struck, then a small line of provenance."""
    throw = rolled("4d6kh3+1", label="for Ann")
    event = replace(throw.event, body=replace(throw.roll, source=Source.HALF))
    first, last = result(RollResult(event, throw.outcomes)).splitlines()

    assert re.fullmatch(
        rf"\*\*{event.roll.results[0]}\*\* ← 4d6kh3 \((\d, |~~\d~~, ){{3}}(\d|~~\d~~)\) \+ 1", first
    )
    assert first.count("~~") == 2
    assert last.startswith(f"-# <@{PLAYER}> · for Ann · #1 · half ")


def test_drawn_dice_head_the_line_and_their_notation_stands_below() -> None:
    """Each die is a picture, a dropped one too; what is added stays text."""
    throw = rolled("2d20kh1+5", label="Stealth")
    pictures = {
        f"d20_{face}{end}": f"<:d20_{face}{end}:1>" for face in range(1, 21) for end in ("", "_dropped")
    }
    first, last = answer(throw, has_name=True, pictures=pictures).splitlines()

    assert re.fullmatch(r"\*\*\d+\*\* (<:d20_\d+(_dropped)?:1> ){2}\+ 5( · \*\*natural \d+\*\*)?", first)
    assert first.count("_dropped") == 1
    assert last == "-# Stealth · 2d20kh1+5 · #1"


@pytest.mark.parametrize("text", ["1d100", "2#1d100", "1d100; 1d100"])
def test_one_die_without_a_picture_is_said_once(text: str) -> None:
    """By the total; its notation stands below, as under dice that are drawn."""
    *totals, last = answer(rolled(text), has_name=True, pictures={"d6_1": "<:d6_1:1>"}).splitlines()

    assert all(re.fullmatch(r"\*\*\d+\*\*", total) for total in totals)
    assert last == f"-# {text} · #1"


def test_more_than_twelve_dice_are_figures() -> None:
    """All of them, in brackets."""
    pictures = {f"d6_{face}": f"<:d6_{face}:1>" for face in range(1, 7)}

    assert "<:" in answer(rolled("12d6"), pictures=pictures)
    assert "<:" not in answer(rolled("13d6"), pictures=pictures)


def test_a_checkpoint_stands_only_where_it_is_asked_for() -> None:
    """In a campaign whose footer has it, and in proof mode."""
    throw, checkpoint = rolled("2d6"), Checkpoint("evenhand/" + "0" * 32, 3, bytes(32))
    keyed = replace(throw.event, body=replace(throw.roll, source=Source.KEYED))

    assert "Checkpoint" not in answer(throw, [], checkpoint, Footer.FULL)
    assert answer(throw, [], checkpoint, Footer.CHECKPOINTS).endswith(f"-# Checkpoint: `{checkpoint.line}`")
    assert "Checkpoint" in answer(replace(throw, event=keyed), [], checkpoint)


def test_a_check_has_the_tone_of_its_outcome() -> None:
    """Passed or not, and hidden rolls have their own; plain rolls none."""
    tones = {
        words.tone(rolled("1d1", visibility=seen)) for seen in Visibility if seen is not Visibility.PUBLIC
    }

    assert tones == {Tone.SECRET}
    assert words.tone(rolled("1d1")) is Tone.NONE
    for dc, tone in ((1, Tone.GOOD), (2, Tone.BAD)):
        throw = rolled("1d1")
        event = replace(throw.event, body=replace(throw.roll, check=CheckTerms(dc)))
        assert words.tone(replace(throw, event=event)) is tone


@pytest.mark.parametrize(
    ("text", "face", "tone"),
    [
        *(("cthulhu skill 50", face, Tone.BAD) for face in ("fumble", "failure")),
        *(("cthulhu skill 50", face, Tone.GOOD) for face in ("regular", "hard", "extreme", "critical")),
        ("blades action 2", "failure", Tone.BAD),
        ("blades action 2", "partial", Tone.NONE),
        ("blades action 2", "critical", Tone.GOOD),
        ("dragonbane roll 12", "demon", Tone.BAD),
        ("dnd5 attack 5", "25", Tone.NONE),
        ("lancer structure 1", "crushing hit", Tone.NONE),
    ],
)
def test_a_games_roll_has_the_tone_of_its_outcome(text: str, face: str, tone: Tone) -> None:
    """As a check has; neither of both, and several at once, have none."""
    request = understand(text, builtin_games(), None)
    assert request
    throw = rolled_with(game_roll(request))

    for results, expected in (((face,), tone), ((face, face), Tone.NONE)):
        event = replace(throw.event, body=replace(throw.roll, results=results))
        assert words.tone(replace(throw, event=event)) is expected


def test_several_rolls_have_a_line_each() -> None:
    """Each total with its dice, under the label."""
    throws = rolled("2d6", 3, label="Scores")
    title, *lines, _ = result(throws).splitlines()

    assert title == "**Scores**"
    for line, face in zip(lines, throws.event.roll.results, strict=True):
        assert re.fullmatch(rf"\*\*{face}\*\* ← 2d6 \(\d, \d\)", line)


def test_a_memory_is_tagged() -> None:
    """A roller's name and rule stand on every result; plain dice have no tag."""
    fair = result(rolled_with(make("fair", "2d6*3*2", tightness="1.5"), name="evil dice"))

    assert "· **evil dice** · fair 2d6\\*3\\*2, tightness 1.5 ·" in fair
    assert result(rolled("2d6")).splitlines()[-1].startswith(f"-# <@{PLAYER}> · #1 · ")


def test_a_campaign_chooses_how_much_stands_under_a_roll() -> None:
    """The player, the whole rule and the bits can be left out; the roller and the number can't."""
    fair = rolled_with(make("fair", "2d6", tightness="1.5"), name="luck")
    feet = {footer: answer(fair, [], footer=footer).splitlines()[-1] for footer in Footer}

    full = f"-# <@{PLAYER}> · **luck** · fair 2d6, tightness 1.5 · #1 · computer-random bits"
    short = f"-# <@{PLAYER}> · **luck** · fair 2d6 · #1"
    assert feet == {
        Footer.CHECKPOINTS: full,
        Footer.FULL: full,
        Footer.SHORT: short,
        Footer.NUMBER: short,
    }
    for footer in (Footer.SHORT, Footer.NUMBER):
        assert answer(fair, [], footer=footer, has_name=True).endswith(
            feet[footer].removeprefix(f"-# <@{PLAYER}> · ")
        )
    assert answer(fair, [], footer=Footer.FULL, has_name=True).endswith(feet[Footer.FULL])


@pytest.mark.parametrize("footer", Footer)
def test_the_seal_of_a_hidden_roll_stands_under_it_whatever_was_chosen(footer: Footer) -> None:
    """It is what binds the roll until it is revealed."""
    throw = rolled("2d6", visibility=Visibility.SELF)
    foot = answer(throw, [], footer=footer, has_name=True).splitlines()[-1]

    assert foot.startswith("-# #1 · ") or " · #1 · " in foot
    assert foot.endswith(f" · only you see this · sealed `{sealed(throw.event.seal.leaf)}`")


def test_the_register_says_how_it_is_read() -> None:
    """Each step names what the dice read and the value that it is added to, which the step before left."""
    steps = read_roll(Campaign().ask(roll_register(2, 4), seeded(5)))
    lines = result(steps).splitlines()[:-1]

    value = 0
    for line, face in zip(lines, steps.event.roll.results, strict=True):
        match = re.search(r"\*\*(\d+)\*\* ← 2d6 \((\d), (\d)\) · read (\d+), start (\d+)$", line)
        assert match
        reads = 6 * int(match[2]) + int(match[3]) - 7
        assert (match[1], int(match[4]), int(match[5])) == (face, reads, value)
        value = (value + reads) % 100
        assert face == str(value or 100)
    assert "d100 register" in result(steps)


@pytest.mark.parametrize(
    ("visibility", "told"),
    [
        (Visibility.SELF, "only you see this"),
        (Visibility.GM, "you and the GM see this"),
        (Visibility.BLIND, "only the GM sees this"),
    ],
)
def test_hidden_rolls_show_nothing(visibility: Visibility, told: str) -> None:
    """Who may see one is told who else does; everybody sees that it was rolled, its seal and no face."""
    throw = rolled("d1000000", visibility=visibility, label="sneak")
    shown = hidden(throw.event)
    seal = f"#1 sealed `{sealed(throw.event.seal.leaf)}`"

    assert told in result(throw)
    assert throw.event.roll.results[0] not in shown
    assert shown.startswith(f"<@{PLAYER}> rolled, ")
    assert seal in shown
    assert revealed(throw, GM).startswith(f"<@{GM}> reveals <@{PLAYER}>'s roll.\n**")
    assert "\n-# sneak · #1\n" in revealed(throw, GM)
    assert told not in revealed(throw, GM)


def test_late_rolls_are_told() -> None:
    """A roll whose reply was lost is named with its result, a hidden one without it."""
    public, blind = rolled("d1000000").event, rolled("d999999", visibility=Visibility.BLIND).event
    _, _, one, two = answer(rolled("2d6"), [public, blind]).splitlines()

    assert one == (
        f"-# #1 of <@{PLAYER}>, <t:1420310400:t>: **{public.roll.results[0]}** (`1d1000000`). "
        "It was rolled, but its reply may be lost."
    )
    assert ": a hidden roll. It was" in two
    assert blind.roll.results[0] not in two


def test_erased_people_are_not_mentioned() -> None:
    """Of a person who was erased neither a number nor "None" is left."""
    throw = rolled("2d6", visibility=Visibility.GM)
    event = replace(throw.event, user_id=None, words=None)
    erased = RollResult(event, throw.outcomes)

    for text in (result(erased), revealed(erased, GM), hidden(event), answer(rolled("2d6"), [event])):
        assert "None" not in text


def test_a_brief_sum_against_a_number_is_the_sum() -> None:
    """As its answer told it, and not 1 for a success."""
    assert re.fullmatch(r"\*\*(?:8|9|1\d|2[0-7])\*\* \(`1d20\+7 vs 14`\)", brief(rolled("d20+7>=14").event))
    assert re.fullmatch(r"\*\*(?:[3-9]|1[0-8])\*\* \(`\(3d6\)<=1`\)", brief(rolled("(3d6)<=1").event))
    assert "successes" not in brief(rolled("5d6>=4").event)
    assert "(`5d6>=4`)" in brief(rolled("5d6>=4").event)


def test_a_brief_contest_says_who_wins() -> None:
    """As its answer told it, and not the difference alone; beside another roll that is left."""
    assert brief(rolled("1d1+5 vs 1d1").event) == "**wins by 5** (`1d1+5 vs 1d1`)"
    assert brief(rolled("1d1 vs 1d1+2", 2).event) == "**loses by 2 · loses by 2** (`2#1d1 vs 1d1+2`)"
    assert brief(rolled("1d1 vs 1d1; 2d1").event).startswith("**0 · 2** ")
    assert brief(rolled("1d1+4 [elf vs orc]").event).startswith("**5** ")


def test_a_brief_result_is_whole_or_cut_within_its_signs() -> None:
    """The faces are bold and what was rolled is code, however much of both was cut."""
    event = rolled("2d6", 2).event
    assert brief(event, 50, 30) == f"**{' · '.join(event.roll.results)}** (`2#2d6`)"
    long = brief(rolled("d6" + "*1000000//1000000" * 9, 20).event, 20, 9)
    assert re.fullmatch(r"\*\*[\d ·]+ · …\*\* \(`20#1d6\*1…`\)", long)


@settings(max_examples=80)
@given(rolls(), st.integers(0, 10**6), LONG_TRICKY, st.sampled_from(Visibility))
def test_any_roll_fits_a_message(
    expression: Expression, seed: int, label: str, visibility: Visibility
) -> None:
    """Whatever notation is rolled, every form of the reply fits, late ones and a reveal included."""
    throw = rolled(str(expression), seed=seed, label=label, visibility=visibility)
    late = [throw.event] * 3

    for text in (result(throw), answer(throw, late), revealed(throw, GM), hidden(throw.event)):
        check(text)
    assert result(throw).count("**") >= 2


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("100d6!+100d6!+100d6!+100d6!+100d6!", 1),
        ("100d10ro<9!>=2" + "+100d10ro<9!>=2" * 4, 1),
        ("25d1000000!kh1", 20),
        ("d6" + "*1" * 97, 20),
        ("d6" + "+d6" * 48, 10),
        ("d6*1000000*100000", 20),
        ("+".join(["5d6[fire bolts and things ' - a b]"] * 4), 20),
        ("((((((((((d6))))))))))", 20),
    ],
)
def test_the_largest_rolls_fit_a_message(text: str, times: int) -> None:
    """500 dice, 20 times, explosions, long sums and tags: the reply fits and every total is in it."""
    throw = rolled(text, times, label="x" * LABEL_LIMIT, visibility=Visibility.GM)

    check(result(throw))
    check(answer(throw, [throw.event] * 3))
    check(revealed(throw, GM))
    assert all(f"{face}" in result(throw) for face in throw.event.roll.results)


LONG: list[Json] = [f"{i}<@1>**`[a](b) " + "*" * 60 for i in range(20)]
CARDS: dict[str, Json] = {str(card): 1 for card in LONG}
REGIONS: list[Json] = ["x*" * 40] * 22
CITIES: list[Json] = ["y_" * 40] * 22
LARGEST: list[Spec] = [
    {"system": "deck", "base": CARDS},
    {"system": "deck", "base": CARDS, "no_repeat": True},
    {"system": "fair", "base": "d6" + "*1" * 97, "tightness": "999.999999"},
    {"system": "fair", "base": "d6*1000000*100000", "tightness": "inf"},
    {"system": "decks", "decks": {f"{i}*": {f"{i}{'*' * 78}": 9} for i in range(10)}},
    {"system": "blocks", "categories": {"*" * 80: LONG}, "block": 4},
    {"system": "destinator", "regions": REGIONS, "cities": {"x*" * 40: CITIES}},
]


@pytest.mark.parametrize("spec", LARGEST, ids=lambda spec: str(spec["system"]))
def test_the_largest_rollers_fit_a_message(spec: Spec) -> None:
    """Labels as long as they may be and full of markup, 20 times: the reply fits and shows them as text."""
    throw = rolled_with(read_spec(spec), 20, name="n" * 32, label="x" * LABEL_LIMIT)

    check(result(throw))
    check(answer(throw, [throw.event] * 3))
    check(revealed(throw, GM))
    one = rolled_with(read_spec(spec), name="n" * 32, label="x" * LABEL_LIMIT)
    check(answer(one, [throw.event] * 3))


@settings(max_examples=50)
@given(st.dictionaries(TRICKY | LONG_TRICKY, st.integers(1, 3), min_size=1, max_size=9), st.integers(1, 20))
def test_any_cards_fit_a_message(cards: dict[str, Json], times: int) -> None:
    """Cards with any labels are shown as text."""
    check(result(rolled_with(make("deck", cards), times)))
