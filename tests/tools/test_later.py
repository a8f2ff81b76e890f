"""What few rolls have: words, hands, dice beside a roller, chosen dice.

Each forgery is made as a host would make it, who has all keys and makes all hashes anew.
"""

import json
from collections.abc import Callable
from copy import deepcopy

import pytest

from tests.support.logs import Log, card_of, edited, export, told_to_player
from tests.support.parts import Line, close_parts, part_of
from tests.support.vectors import GAME, make
from tests.support.verdicts import Verifier, Verifiers

MAKE, DRAWN, PLAYED, KEPT, TAKEN_BACK, THROWN_AWAY, RETURNED = 2, 3, 4, 5, 6, 9, 11
BACK, OFFER, CHOSEN, BESIDE, PUSHED = 10, 12, 13, 14, 15
FACES = ("ace", "king", "queen")
DECK: Line = {**dict.fromkeys(FACES, 2)}
Change = Callable[[list[Line]], Line]


def evening() -> Log:
    """Cards that are drawn, played, taken back, thrown away, returned and chosen; dice beside a roller."""
    log = Log()
    log.add("create")
    log.make("Cards", {"system": "deck", "base": DECK, "size": 2, "refill": 1, "mode": "add"})
    log.draw("Cards")
    log.add("play", public={"target": DRAWN}, what=card_of(log.events[DRAWN - 1]))
    log.draw("Cards", 43)
    log.add("undo", public={"target": PLAYED}, what={"roller": "Cards"})
    log.add("play", public={"target": DRAWN}, what=card_of(log.events[DRAWN - 1]))
    log.draw("Cards")
    log.add("discard", public={"target": 8}, what={"roller": "Cards"})
    log.draw("Cards")
    log.put_back("Cards", BACK, next(place for place, face in enumerate(FACES) if is_card(log, BACK, face)))
    log.roll_with("Cards", times=3, more={"offer": True})
    log.add("choose", public={"target": OFFER}, what={"roller": "Cards", "choice": 2})
    words: Line = {"label": "Climb", "typed": "Cards adv+1d4-str", "character": "Mira"}
    log.roll_with("Cards", times=2, words=words, rest="1d4-3")
    log.roll("1d20")
    log.roll_with("Cards")
    return log


def is_card(log: Log, draw: int, face: str) -> bool:
    """Whether that face was drawn."""
    return card_of(log.events[draw - 1])["results"] == [face]


LOG = evening()
EVENTS = LOG.events


def said(number: int, part: str, **values: object) -> Change:
    """Change fields of a part; None takes one away."""

    def change(events: list[Line]) -> Line:
        event = edited(events[number - 1], part, **values)  # pyright: ignore[reportArgumentType] (JSON)
        value = part_of(event, part)
        assert isinstance(value, dict)
        for name in [name for name, one in value.items() if one is None]:
            del value[name]
        return event

    return change


def openly(number: int, **values: str | int) -> Change:
    """Change public fields."""
    return lambda events: {**events[number - 1], **values}


def draws_first(events: list[Line]) -> Line:
    """The dice beside a roller are drawn before it."""
    how = part_of(events[BESIDE - 1], "how")
    assert isinstance(how, dict)
    draws = how["draws"]
    assert isinstance(draws, list)
    return edited(events[BESIDE - 1], "how", draws=[*draws[2:], *draws[:2]])


def another_event(number: int, like: int, **values: int) -> Change:
    """What stands at a number is an event like another one."""

    def change(events: list[Line]) -> Line:
        event, other = events[number - 1], events[like - 1]
        copy: Line = {**other, **{name: event[name] for name in ("seq", "id")}, **values}
        return copy

    return change


OTHER_CARD = next(face for face in ("ace", "king") if [face] != card_of(EVENTS[DRAWN - 1])["results"])
NOT_DRAWN = next(place for place, face in enumerate(FACES) if not is_card(LOG, BACK, face))
FORGERIES: dict[str, tuple[Change, str]] = {
    "typed in what came out": (said(BESIDE, "what", typed="Luck+1d4"), "#14 "),
    "a character in what came out": (said(BESIDE, "what", character="Mira"), "#14 "),
    "a label in what it was worked out from": (said(BESIDE, "how", label="Climb"), "#14 "),
    "other words": (said(BESIDE, "words", nick="Mira"), "#14 "),
    "empty words": (said(BESIDE, "words", typed=""), "#14 "),
    "words that are no text": (said(BESIDE, "words", character=7), "#14 "),
    "a hand that all see": (openly(KEPT, see="public"), "#5 is of a hand"),
    "a hand of two cards": (said(BESIDE, "what", hand=True), "#14 is of a hand"),
    "a hand of plain dice": (said(PUSHED, "what", hand=True), "#15 is of a hand"),
    "an offer of plain dice": (said(PUSHED, "what", offer=True), "#15 is of a hand"),
    "a hand that is none": (said(KEPT, "what", hand=False), "#5 "),
    "played in secret": (openly(PLAYED, see="self"), "#4 is of a hand"),
    "played, and no draw of a hand": (openly(PLAYED, target=1), "#4 is a play about #1"),
    "discarded from an offer": (another_event(CHOSEN, THROWN_AWAY, target=OFFER), "#13 is a discard about"),
    "another card than was drawn": (said(PLAYED, "what", results=[OTHER_CARD]), "#4 plays another card"),
    "a card that is not told": (said(PLAYED, "what", results=None), "#4 plays another card"),
    "somebody else's card": (openly(7, target=KEPT), "#7 plays another card"),
    "a card played twice": (another_event(TAKEN_BACK, PLAYED), "#6 is about a card that left"),
    "a card returned after it was played": (openly(RETURNED, target=DRAWN), "#11 is about a card that left"),
    "a card told while discarded": (said(THROWN_AWAY, "what", results=["ace"]), "#9 "),
    "a card that is not there chosen": (said(CHOSEN, "what", choice=3), "#13 chooses none"),
    "a card that is not there returned": (said(RETURNED, "how", place=-1), "#11 "),
    "a card returned to nowhere": (said(RETURNED, "how", place=None), "#11 returns no card"),
    "a card that the deck does not have returned": (said(RETURNED, "how", place=3), "#11 puts back a card"),
    "another card returned than was drawn": (said(RETURNED, "how", place=NOT_DRAWN), "#11 puts back another"),
    "a card returned to another's memory": (said(RETURNED, "how", whose="player"), "#11 returns a card"),
    "a card returned to nobody's memory": (said(RETURNED, "how", whose=None), "#11 returns a card to no"),
    "a card returned to another memory": (said(RETURNED, "how", before=[4, 4, 3]), "#11 began with another"),
    "somebody else's card returned": (said(RETURNED, "who", user="43"), "#11 returns a card to another"),
    "a card of a hand returned as if offered": (
        said(RETURNED, "what", offered=True),
        "#11 returns a card",
    ),
    "nothing chosen": (said(CHOSEN, "what", choice=None), "#13 chooses none"),
    "chosen from a hand": (openly(CHOSEN, target=DRAWN), "#13 is a choose about #3"),
    "an offer chosen from twice": (another_event(BESIDE, CHOSEN), "#14 is about a card that left"),
    "dice before the roller": (draws_first, "#14 "),
    "another total beside it": (said(BESIDE, "what", added=["1", "9"]), "#14 "),
    "too few totals beside it": (said(BESIDE, "what", added=["1"]), "#14 "),
    "dice beside it left out": (said(BESIDE, "what", rest=None), "#14 "),
    "totals beside it left out": (said(BESIDE, "what", added=None), "#14 "),
    "dice beside plain dice": (said(PUSHED, "what", rest="1d4", added=["1"]), "#15 "),
    "dice chosen without a push": (said(BESIDE, "what", again=[0]), "#14 chooses dice"),
    "dice chosen twice": (said(BESIDE, "what", pushes=5, again=[1, 1]), "#14 chooses dice"),
    "dice chosen that are none": (said(BESIDE, "what", pushes=5, again=[-1]), "#14 chooses dice"),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forgery_is_named(forgery: str, ask: Verifier) -> None:
    """At its number, whoever checks."""
    change, why = FORGERIES[forgery]
    event = change(deepcopy(EVENTS))
    events = [event if one["seq"] == event["seq"] else one for one in deepcopy(EVENTS)]
    verdict = ask(b"".join(export(events)))

    assert verdict.code == 1, verdict
    assert verdict.words.startswith(f"Broken: {why}"), verdict


ODD: list[object] = [0, -1, 7, True, "", "x", [], ["x"], [None], [[]], {}, {"x": 1}]
FIELDS = [
    (DRAWN, "what", "hand"),
    (OFFER, "what", "offer"),
    (PLAYED, "what", "results"),
    (CHOSEN, "what", "choice"),
    (RETURNED, "how", "place"),
    (BESIDE, "what", "rest"),
    (BESIDE, "what", "added"),
    (BESIDE, "what", "again"),
    (BESIDE, "words", "typed"),
    (BESIDE, "words", "character"),
]
RIGHT = {("hand", True), ("offer", True), ("choice", 0), ("place", 0), ("place", 7)}
"""What may stand there: there is nothing to hold them against."""


@pytest.mark.parametrize(("number", "part", "name"), FIELDS)
def test_a_field_of_another_kind_is_named(number: int, part: str, name: str, ask: Verifier) -> None:
    """Whatever stands in a field where something else belongs, each verifier says where, and no more."""
    for value in ODD:
        if (part == "words" and value == "x") or any(value is right for it, right in RIGHT if it == name):
            continue
        events = deepcopy(EVENTS)
        events[number - 1] = said(number, part, **{name: value})(events)
        verdict = ask(b"".join(export(events)))

        # What a tool can't read as a sum of dice it counts as not made again.
        assert verdict.code == 1 or (name, value) == ("rest", "x"), (value, verdict)
        assert verdict.code == 3 or verdict.words.startswith(f"Broken: #{number} "), (value, verdict)


def test_the_true_evening_is_made_again(ask: Verifier) -> None:
    """Cards in hands and dice beside a roller too."""
    verdict = ask(b"".join(export(EVENTS)))

    assert verdict.code == 3, verdict
    assert "8 made again, 0 not made again" in verdict.words


def test_the_exported_vectors_hold(ask: Verifier) -> None:
    """A push of chosen dice is in them too."""
    verdict = ask(str(make()["export"]))

    assert verdict.code == 3, verdict


def test_another_player_is_told_what_was_played(ask: Verifier) -> None:
    """Draws are closed, but for those that were played; what hangs on the others can't be followed."""
    told = [told_to_player(one) if one["seq"] not in {DRAWN, OFFER} else one for one in EVENTS]
    told = [
        close_parts(one, "how") if int(str(one["seq"])) in {7, *range(8, 17)} - {8, 10, 15} else one
        for one in told
    ]
    verdict = ask(b"".join(export(told)))

    assert verdict.code == 3, verdict


def test_a_draw_that_was_undone_is_in_no_hand(ask: Verifier) -> None:
    """What is undone goes back, and can't be played; a card that was returned and taken out again can."""
    for back in (False, True):
        log = Log()
        log.add("create")
        log.make("Cards", {"system": "deck", "base": {"ace": 2, "king": 2}})
        draw = log.draw("Cards")
        played = card_of(log.events[draw - 1])
        if back:
            returned = log.put_back("Cards", draw, int(played["results"] == ["king"]))
            log.add("undo", public={"target": returned}, what={"roller": "Cards"})
        else:
            log.undo("Cards")
        log.add("play", public={"target": draw}, what=played)
        verdict = ask(b"".join(export(log.events)))

        assert verdict.code == (3 if back else 1), verdict
        assert back or "is about a card that left" in verdict.words


FIRST, AGAIN, THIRD = 2, 3, 4


def chosen() -> Log:
    """A game's roll of 1, 5 and 2, of whose dice the first and the third are thrown again; and its like."""
    log = Log()
    log.add("create")
    game: Line = {"roller": "tide roll", "spec": json.dumps(GAME, separators=(",", ":")), "source": "true"}
    fell: Line = {"before": [], "draws": [[6, 0], [6, 4], [6, 1]]}
    log.add("roll", what={**game, "results": ["8"]}, how=fell)
    how: Line = {"before": [], "draws": [[6, 5], [6, 4]], "stood": [[[], [4], []]]}
    log.add("roll", what={**game, "results": ["16"], "pushes": FIRST, "again": [0, 2]}, how=how)
    kept: Line = {"before": [], "stood": [[[4], [1]]]}
    game.pop("source")
    log.add("roll", what={**game, "results": ["7"], "pushes": FIRST, "again": [0]}, how=kept)
    return log


NOT_SO, NOT_THEIRS = "keeps dice that did not fall so in #", "pushes #2, which is no roll of that player's"
WRONGLY: dict[str, tuple[Change, str]] = {
    "a die that never fell": (said(AGAIN, "how", stood=[[[], [5], []]], draws=[[6, 5], [6, 3]]), NOT_SO),
    "dice in another order": (said(THIRD, "how", stood=[[[1], [4]]]), NOT_SO),
    "a place that is not there": (said(AGAIN, "what", again=[0, 3]), NOT_SO),
    "places in another order": (said(AGAIN, "what", again=[2, 0]), "chooses dice that are not there"),
    "a place twice": (said(AGAIN, "what", again=[0, 2, 2]), "chooses dice that are not there"),
    "dice of dice that were chosen": (said(THIRD, "what", pushes=AGAIN), NOT_SO),
    "somebody else's dice": (said(AGAIN, "who", user="43"), NOT_THEIRS),
    "no push": (said(AGAIN, "what", pushes=None), "chooses dice that are not there"),
    "no dice that stay": (said(AGAIN, "how", stood=None), "chooses dice that are not there"),
    "a face below the first": (said(AGAIN, "how", stood=[[[], [-1], []]]), "chooses dice that are not there"),
}


@pytest.mark.parametrize("forgery", WRONGLY)
def test_chosen_dice_that_did_not_fall_so_are_named(forgery: str, ask: Verifier) -> None:
    """Each verifier compares them with the first roll, with rules for its game or without."""
    change, why = WRONGLY[forgery]
    event = change(deepcopy(chosen().events))
    events = [*chosen().events]
    events[int(str(event["seq"])) - 1] = event
    verdict = ask(b"".join(export(events)))

    assert verdict.code == 1, verdict
    assert verdict.words.startswith(f"Broken: #{event['seq']} {why}")


def test_chosen_dice_that_fell_so_hold(ask: Verifier) -> None:
    """Thrown again or kept, they are made again by who has rules for games."""
    verdict = ask(b"".join(export(chosen().events)))

    assert verdict.code == 3, verdict
    assert "3 made again, 0 not made again" in verdict.words or "0 made again, 3 not" in verdict.words


@pytest.mark.parametrize(
    "change",
    [
        said(AGAIN, "how", stood=[[[4], [], []]]),
        said(AGAIN, "what", again=[0]),
        said(AGAIN, "how", stood=[[[], [], [4]]]),
        said(THIRD, "how", stood=[[[4]]]),
        said(THIRD, "what", again=[1]),
    ],
)
def test_the_bot_compares_place_by_place(change: Change, verifiers: Verifiers) -> None:
    """Who has rules for the game sees which die lay where."""
    event = change(deepcopy(chosen().events))
    events = [*chosen().events]
    events[int(str(event["seq"])) - 1] = event

    verdict = verifiers.named("bot")(b"".join(export(events)))

    assert verdict.words.startswith(f"Broken: #{event['seq']} "), verdict
