"""A typed line is a command with its options, or a fault with a sentence and its place."""

import re
from gettext import NullTranslations
from itertools import product
from typing import Any

import pytest
from discord import AppCommandType
from hypothesis import given
from hypothesis import strategies as st

from bot.play.line import hints, in_quotes, read
from bot.play.options import ROLE, USER, ActRefused, OptionValue, commands, with_mentions
from bot.words.languages import Language, speaking
from tests.play.told import NAMES, TOLD, command, option
from tests.support.everyday import ASKED, READ
from tests.support.table import Table

KNOWN = commands(each for each in TOLD if each["type"] == 1)

RUN: dict[str, tuple[str, dict[str, Any]]] = {
    "/roll 2d6+3": ("roll", {"dice": "2d6+3"}),
    "/ROLL 2d6+3": ("roll", {"dice": "2d6+3"}),
    "/roll   2d6 + 3  ": ("roll", {"dice": "2d6 + 3"}),
    "/roll\t2d6+3\n": ("roll", {"dice": "2d6+3"}),
    "/ roll 2d6": ("roll", {"dice": "2d6"}),
    '/roll dice:2d6 times:3 label:"to hit"': ("roll", {"dice": "2d6", "times": 3, "label": "to hit"}),
    "/roll times:3 dice:2d6": ("roll", {"dice": "2d6", "times": 3}),
    "/roll 2d6 times:3 label:to hit": ("roll", {"dice": "2d6", "times": 3, "label": "to hit"}),
    "/roll label:Climb 2d6+3 dice:2d6": ("roll", {"label": "Climb 2d6+3", "dice": "2d6"}),
    "/roll 2d6 visibility:gm": ("roll", {"dice": "2d6", "visibility": "gm"}),
    "/roll 2d6 visibility:BLIND": ("roll", {"dice": "2d6", "visibility": "blind"}),
    "/roll 2d6 visibility:self: only you": ("roll", {"dice": "2d6", "visibility": "self"}),
    "/roll 2d6 visibility:b": ("roll", {"dice": "2d6", "visibility": "blind"}),
    "/roll 2d6 practice:yes": ("roll", {"dice": "2d6", "practice": True}),
    "/roll 2d6 practice:OFF": ("roll", {"dice": "2d6", "practice": False}),
    '/roll "2d6" label:"say \\"hi\\""': ("roll", {"dice": "2d6", "label": 'say "hi"'}),
    "/roll check: 2d6": ("roll", {"dice": "check: 2d6"}),
    "/roll fire:2d6": ("roll", {"dice": "fire:2d6"}),
    '/roll 2d6 label:"a times:2 b"': ("roll", {"dice": "2d6", "label": "a times:2 b"}),
    "/roll 2d6 label:": ("roll", {"dice": "2d6"}),
    "/roll dice:2d6 dice:3": ("roll", {"dice": "2d6 dice:3"}),
    "/roll 2d6 label:for @bob": ("roll", {"dice": "2d6", "label": "for <@12>"}),
    "/roll 2d6 label:for @nobody": ("roll", {"dice": "2d6", "label": "for @nobody"}),
    "/d100 roll": ("d100 roll", {}),
    "/roller list": ("roller list", {}),
    '/roller dynamic name:"Luck" dice:4d6kh3 threshold:-2': (
        "roller dynamic",
        {"name": "Luck", "dice": "4d6kh3", "threshold": -2},
    ),
    "/group call check:Stealth dice:1d20 dc:12 players:@Ann @Bob": (
        "group call",
        {"check": "Stealth", "dice": "1d20", "dc": 12, "players": "<@11> <@12>"},
    ),
    "/group call Stealth dice:1d20 players:@Ann Marie, @ann": (
        "group call",
        {"check": "Stealth", "dice": "1d20", "players": "<@13>, <@11>"},
    ),
    "/group call Stealth dice:1d20 role:@game master": (
        "group call",
        {"check": "Stealth", "dice": "1d20", "role": "21"},
    ),
    "/group call Stealth 1d20 dc:12 players:@Ann @Bob": (
        "group call",
        {"check": "Stealth", "dice": "1d20", "dc": 12, "players": "<@11> <@12>"},
    ),
    '/group call "Sneak past" 1d20 + 5': ("group call", {"check": "Sneak past", "dice": "1d20 + 5"}),
    "/group call check:Sneak past 1d20 dice:1d20": (
        "group call",
        {"check": "Sneak past 1d20", "dice": "1d20"},
    ),
    "/roller dynamic Luck 4d6kh3 -2": (
        "roller dynamic",
        {"name": "Luck", "dice": "4d6kh3", "threshold": -2},
    ),
    "/luck @Ann Marie": ("luck", {"who": "13"}),
    "/luck who:@bob where:#table": ("luck", {"who": "12", "where": "31"}),
    "/import sheet.json": ("import", {"file": "41"}),
    "/me str 3": ("me", {"set": "str 3"}),
    "/me set str 3": ("me", {"set": "str 3"}),
    "/me SET  str 3 last:2": ("me", {"set": "str 3", "last": 2}),
    "/me new Lia": ("me", {"new": "Lia"}),
    '/me new "Lia B" set:str 3': ("me", {"new": "Lia B", "set": "str 3"}),
    "/save 8d6 fire ball": ("save", {"name": "fire ball", "dice": "8d6"}),
    "/save 8d6": ("save", {"dice": "8d6"}),
    "/save 4d6 kh3 Luck": ("save", {"name": "4d6", "dice": "kh3 Luck"}),
    "/save 4d6 drop lowest stats": ("save", {"name": "4d6", "dice": "drop lowest stats"}),
    "/save d20 modern 1d20": ("save", {"name": "d20", "dice": "modern 1d20"}),
    "/save 8d6 + 1": ("save", {"name": "8d6", "dice": "+ 1"}),
    "/group call 1d20+2 Stealth dc:12": ("group call", {"check": "Stealth", "dice": "1d20+2", "dc": 12}),
    "/save name Fire 8d6": ("save", {"name": "Fire", "dice": "8d6"}),
    "/me last 3": ("me", {"last": 3}),
    "/me set": ("me", {"set": "set"}),
    '/me "set sail"': ("me", {"set": "set sail"}),
}
FAULTS: dict[str, tuple[str, int]] = {
    "/rol 2d6": ("There is no /rol. Did you mean /roll?", 4),
    "/l @Ann": ("There is no /l. Did you mean /luck?", 2),
    "/npc Goblin": ("There is no /npc. Did you mean /group npc?", 4),
    "/2d6+1": ("There is no /2d6+1. Did you mean /roll 2d6+1?", 6),
    "/group call 1d20": ("check is needed: What it is for, such as Stealth.", 16),
    "/xyzzy": ("There is no /xyzzy. Type / for a list.", 6),
    "/group": ("/group needs one of these words: call or npc.", 6),
    "/group cal Stealth": ("There is no /group cal. Did you mean /group call?", 10),
    "/Group  check Stealth": ("/group needs one of these words: call or npc.", 6),
    "/roll": ("dice is needed: Dice such as 2d6+3, or a roller.", 5),
    "/roll 2d6 times:30": ("times is a whole number from 1 to 20.", 16),
    "/roll 2d6 times:two": ("times is a whole number from 1 to 20.", 16),
    "/roll 2d6 times:1.5": ("times is a whole number from 1 to 20.", 16),
    "/roll 2d6 visibility:everybody else": ("visibility is one of public, self, gm, blind.", 21),
    "/roll 2d6 practice:perhaps": ("practice is yes or no.", 19),
    '/roll 2d6 label:"a" b': ("Nothing can follow the closing quote of label.", 19),
    "/group call Stealth 1d20 dc:high": ("dc is a whole number from -1,000 to 1,000.", 28),
    "/group call Stealth dc:12": ("dice is needed: What everybody rolls.", 25),
    '/group call "Stealth"now 1d20': ("Nothing can follow the closing quote of check.", 21),
    "/luck @Zoe": ("Nobody here is called Zoe.", 6),
    "/import other.json": ("file is a file: add one with the plus.", 8),
    "/roll check:2d6": (
        "/roll has no option check. It has: dice, times, label, visibility, practice.",
        6,
    ),
    "/d100 roll now": ("/d100 roll takes nothing more.", 11),
}


class Spanish(NullTranslations):
    """A word of it."""

    def gettext(self, message: str) -> str:
        """Return yes, or what is English."""
        return "sí" if message == "yes" else message


def test_yes_and_no_are_read_in_the_language_that_is_spoken() -> None:
    """With or without marks, beside the English ones."""
    for typed, meant in {"sí": True, "SI": True, "yes": True, "no": False}.items():
        with speaking(Language("es", Spanish())):
            assert run(f"/roll 2d6 practice:{typed}") == ("roll", {"dice": "2d6", "practice": meant})
    with pytest.raises(ActRefused):
        run("/roll 2d6 practice:sí")


def run(line: str) -> tuple[str, dict[str, OptionValue]]:
    """What a line runs."""
    command, given = read(line, KNOWN, NAMES)
    return command.name, {option["name"]: option["value"] for option in given}


@pytest.mark.parametrize("line", RUN)
def test_a_line_that_runs(line: str) -> None:
    """The longest name, pairs in any order, and values as the command wants them."""
    assert run(line) == RUN[line]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("/save Sneak 1d20 + 7", {"name": "Sneak", "dice": "1d20 + 7"}),
        ("/save Sneak 1d20 shared:yes", {"name": "Sneak", "dice": "1d20", "shared": True}),
        ("/save dice:1d20 Sneak", {"dice": "1d20 Sneak"}),
        ("/save Great Axe dice:1d12", {"name": "Great Axe", "dice": "1d12"}),
        ("/save Sneak", {"name": "Sneak"}),
        ("/save", {}),
    ],
)
def test_a_name_and_dice_that_are_asked_for_may_be_typed(line: str, wanted: dict[str, Any]) -> None:
    """A command that opens a form without its options takes them by their places too."""
    saves = command(
        "save", "Save.", option("name", "A name"), option("dice", "Dice"), option("shared", "All", 5)
    )
    _, given = read(line, commands([saves]), NAMES)

    assert {option["name"]: option["value"] for option in given} == wanted


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("/deck Bag 1d6", {"name": "Bag", "dice": "1d6"}),
        ("/deck Bag 3d20! size:2", {"name": "Bag", "dice": "3d20!", "size": 2}),
        ("/deck Old bag", {"name": "Old bag"}),
        ('/deck "Bag 1d6"', {"name": "Bag 1d6"}),
    ],
)
def test_dice_behind_a_name_are_no_part_of_it(line: str, wanted: dict[str, Any]) -> None:
    """Also where a command can do without dice."""
    deck = command(
        "deck", "Make.", option("name", "Name", required=True), option("dice", "Dice"), option("size", "S", 4)
    )
    _, given = read(line, commands([deck]), NAMES)

    assert {option["name"]: option["value"] for option in given} == wanted


@pytest.mark.parametrize("line", FAULTS)
def test_a_line_that_can_not_run(line: str) -> None:
    """One sentence, and the place of the fault."""
    with pytest.raises(ActRefused) as caught:
        run(line)

    assert (str(caught.value), caught.value.at) == FAULTS[line]


async def test_what_people_type_every_evening_is_dice(t: Table) -> None:
    """Whole, behind the bot's own commands: no word of a line is taken for another option, or refused."""
    known = commands(
        each.to_dict(t.bot.tree) for each in t.bot.tree.get_commands(type=AppCommandType.chat_input)
    )
    typed = [text for text in (*READ, *ASKED) if text[0] != "/" and not re.search("(times|label):", text)]
    for name, text in product(("r", "roll"), typed):
        command, given = read(f"/{name} {text}", known, NAMES)

        assert command.name == name
        assert [(each["name"], each["value"]) for each in given] == [("dice", " ".join(text.splitlines()))]


@given(
    st.text(
        st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]) | st.just(" "),
        min_size=1,
        max_size=60,
    )
)
def test_a_quoted_value_comes_back(value: str) -> None:
    """What the list writes for a value is read as that value."""
    value = " ".join(value.split())
    label = next(option for option in KNOWN[0].options if option["name"] == "label")
    if not value or "@" in value or len(value) > label["max_length"]:
        return
    assert run(f"/roll 1d6 label:{in_quotes(value, KNOWN[0])}")[1]["label"] == value


@given(st.text(max_size=200))
def test_every_line_is_read_or_refused(text: str) -> None:
    """Nothing that is typed breaks the reading, and a fault lies within the line."""
    place: int | None = 0
    try:
        run(f"/{text}")
    except ActRefused as fault:
        place = fault.at

    assert place is not None
    assert 0 <= place <= len(text) + 1


def rows(typed: str) -> list[str]:
    """The labels that are offered at the end of what is typed."""
    return [row["label"] for row in hints(typed, KNOWN, NAMES, {"roller list": 3})[0]["rows"]]


def test_commands_are_offered_in_order() -> None:
    """Most used first, then /roll, then by name; what deletes comes only when it is typed, and last."""
    assert rows("/")[:3] == ["/roller list", "/roll", "/save"]
    assert not {"/data forget", "/admin reset"} & {*rows("/")}
    assert rows("/adm") == ["/admin reset"]
    assert rows("/rol") == ["/roller list", "/roll", "/roller dynamic", "/d100 roll"]
    assert rows("/forg") == ["/data forget"]


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("/roll 2d6 ", ["times:", "label:", "visibility:", "practice:"]),
        ("/roll 2d6 la", ["label:"]),
        ("/roll 2d6 visibility:", ["public", "self", "gm", "blind"]),
        ("/roll 2d6 visibility:g", ["gm"]),
        ("/roll 2d6 practice:", ["yes", "no"]),
        ("/luck ", ["@Ann", "@Bob", "@Ann Marie", "who:", "where:"]),
        ("/luck @a", ["@Ann", "@Ann Marie"]),
        ("/group call Stealth players:@Ann @b", ["@Bob"]),
        ("/group call Stealth 1d20 d", ["dc:"]),
        ("hello @game", ["@Game Master"]),
        ("hello", []),
        ('/roll 2d6 label:"a" ', ["times:", "visibility:", "practice:"]),
    ],
)
def test_what_can_come_next_is_offered(typed: str, offered: list[str]) -> None:
    """Choices, people and roles, and the options that are still free."""
    assert rows(typed) == offered


def test_a_taken_row_completes_the_line() -> None:
    """Each row says what the line then is."""
    (row,) = hints("/roll 2d6 visi", KNOWN, NAMES, {})[0]["rows"]
    needed = {
        r["label"]: r["about"] for r in hints("/group call check:Stealth ", KNOWN, NAMES, {})[0]["rows"]
    }

    assert needed["dice:"] == "What everybody rolls (needed)"
    assert row["text"] == "/roll 2d6 visibility:"


def test_the_hint_is_the_current_options() -> None:
    """The option that the caret is in, and the bot's question where it is one to ask about."""
    shown, asked = hints("/roll 2d", KNOWN, NAMES, {})

    assert shown["hint"] == {"name": "dice", "about": "Dice such as 2d6+3, or a roller"}
    assert asked is not None
    assert [option["value"] for option in asked["options"]] == ["2d"]


def test_what_the_bot_offers_comes_first() -> None:
    """Before the other options, quoted where it has to be, and without what is typed already."""
    choices = [{"name": "2d6", "value": "2d6"}, {"name": "Luck", "value": "a label:b"}]
    shown, _ = hints("/roll 2d6 ", KNOWN, NAMES, {}, choices)
    first, *others = shown["rows"]

    assert (first["label"], first["text"]) == ("Luck", '/roll "a label:b" ')
    assert others[0]["label"] == "times:"


@pytest.mark.parametrize(
    ("typed", "lands"),
    [
        ("ann", {"player": "11"}),
        ("@Ann", {"player": "11"}),
        ("24", {"number": 24}),
        ("#24", {"number": 24}),
        ("Luck", {"roller": "Luck"}),
        ("Luck number:3", {"roller": "Luck", "number": 3}),
    ],
)
def test_what_stands_before_the_pairs_lands_where_it_fits(typed: str, lands: dict[str, Any]) -> None:
    """Where no option is needed: a person, a number, and else the first option for a text."""
    about = option("player", "Whose", 6), option("roller", "Which"), option("number", "From", 4, min_value=1)
    known = commands([command("history", "Show it.", *about)])
    _, told = read(f"/history {typed}", known, NAMES)
    given = {each["name"]: each["value"] for each in told}

    assert given == lands


def test_names_with_letters_of_their_own_are_mentioned() -> None:
    """In any case; no other case of a letter has more letters."""
    names = {USER: {"Strauß": 1, "Strau": 2}, ROLE: {"Čaj": 3}}

    assert with_mentions("@strauß and @čAJ", names) == "<@1> and <@&3>"
