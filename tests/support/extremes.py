"""Every system at the ends of its ranges, and every judgement of it."""

from collections.abc import Callable, Mapping, Sequence

from bot.campaign.accounts import SeenAccount, outlook
from bot.campaign.campaigns import Remembers, Roller
from bot.campaign.checks import RollCheck
from bot.campaign.command import RollOptions
from bot.campaign.events import Event
from bot.campaign.histories import Session
from bot.campaign.replay import is_roller
from bot.campaign.rolls import RollDice
from bot.dice.draws import seeded
from bot.dice.system import Json, Spec, System
from bot.services.rollers import Odds
from bot.stats.best import longest_streak
from bot.stats.check_evenings import AccountReport, record
from bot.stats.curves import curve, ends
from bot.stats.evenings import look_back
from bot.stats.luck import Report, judge
from bot.stats.rigged import bet_on, examine, falls, system_of
from bot.stats.stretches import trace
from bot.systems.checks import CheckTerms
from bot.systems.luck import LuckAccount
from bot.systems.odds import Span
from bot.systems.registry import print_spec
from bot.words import account_odds as account_words
from bot.words import doubts, recap
from bot.words import luck as words
from bot.words import odds as odds_words
from bot.words import tuning as tune_words
from bot.words.cards import CardButton, Picture, plain
from tests.support.play import Campaign
from tests.support.systems import EXAMPLES

HUGE = " + ".join(["100d20kh1"] * 5)
"""Dice whose 96 totals have weights of 10^650 in sum, more than a float holds."""
HEAVIEST = " + ".join([*["20d500r10{1}!o{1}#{>=2}"] * 3, "10d500r10{1}!o{1}#{>=2}"])
"""Dice whose 71 totals have weights of 10^4156 in sum, close to the limit of notation."""
_SLOTS = [f"{n}" for n in range(22)]


def _map(regions: Sequence[str], cities: Sequence[str]) -> Spec:
    return {
        "system": "destinator",
        "regions": [*regions],
        "cities": {region: [*cities] for region in dict.fromkeys(regions)},
    }


def _game(dice: int) -> Spec:
    return {**EXAMPLES["game"], "given": {"dice": dice}}


def _of(system: str, *several: Mapping[str, object]) -> list[Mapping[str, object]]:
    return [{"system": system, **fields} for fields in several]


BASES: tuple[Json, ...] = ("1d1", "1d1000", "100d10", HUGE, "4dF", {"rare": 1, "common": 1_000_000})
EXTREMES: Mapping[str, Sequence[Mapping[str, object]]] = {
    "dice": _of("dice", *({"base": base} for base in BASES)),
    "fair": _of(
        "fair",
        *({"base": base, "tightness": "1"} for base in BASES),
        *(
            {"base": base, "tightness": t}
            for base in ("1d1000", HUGE, {"rare": 1, "common": 1_000_000})
            for t in ("0", "0.000001", "1000", "inf")
        ),
    ),
    "luck": _of(
        "luck",
        {"tightness": "0", "cap": "0"},
        {"tightness": "0.000001"},
        {"tightness": "1000", "cap": "64"},
        {"drought": "10", "own": "minor", "keep": "always"},
        {"score": "rank"},
        {"score": [[0, "a miss", 0], [0, "a pass", 1], [10, "a feat", 10]]},
    ),
    "dynamic": _of(
        "dynamic",
        {"base": "1d1", "factor": "0.5"},
        {"base": "1d2", "factor": "0.999999"},
        {"base": "1d6", "factor": "1"},
        {"base": "1d1000", "factor": "0.000001"},
        {"base": "1d1000", "factor": "0.999999"},
    ),
    "deck": _of(
        "deck",
        {"base": "1d1"},
        {"base": "1d2", "size": 1_000, "refill": 2_000},
        {"base": "1d2", "refill": 2, "mode": "reset"},
        {"base": "1d1000", "size": 1_000},
        {"base": {"rare": 1, "common": 1_000_000}, "size": 10},
        {"base": {"a": 1, "b": 1}, "size": 60, "no_repeat": True},
        {"base": {f"card {n}": 1 for n in range(120)}, "no_repeat": True},
        {"base": {"a": 9, "b": 3, "c": 6}, "size": 3, "refill": 54, "no_repeat": True},
    ),
    "decks": _of(
        "decks",
        {"decks": {"only": {"card": 1}}},
        {"decks": {f"deck {n}": {f"{n} of {c}": c for c in range(1, 10)} for n in range(10)}},
        {"decks": {"x": {"a": 1, "b": 1}, "y": {"c": 1, "d": 2, "e": 3}}, "size": 20, "no_repeat": True},
    ),
    "blocks": _of(
        "blocks",
        {"categories": {"only": ["card"]}},
        {"categories": {f"kind {n}": [f"{n} of {c}" for c in range(3)] for n in range(6)}, "block": 17},
        {"categories": {"only": [f"card {n}" for n in range(1_000)]}, "block": 40},
        {"categories": {"x": {"a": 1, "b": 1_000}, "y": {"c": 7, "d": 1}}, "block": 4},
    ),
    "renewal": _of(
        "renewal",
        {"table": ["1"]},
        {"table": ["0.000001"]},
        {"table": ["1", "0.5"], "start": 1},
        {"table": ["0.5", "0"] * 149 + ["0.000001"]},
        {"table": ["0.000001"] * 300},
        {"table": ["0"] * 299 + ["1"]},
        {"table": [f"0.{n:06}" for n in range(1, 27)]},
        *({"prd": chance} for chance in ("0.05", "0.1", "0.15", "1")),
        {"latest": 1, "chance": "1"},
        {"latest": 30, "chance": "0.25"},
        {"latest": 300, "chance": "0.0067"},
    ),
    "recency": _of(
        "recency",
        {"base": "1d1", "last": 1, "tries": 1},
        {"base": "1d2", "weights": ["0"]},
        {"base": "1d6", "last": 20, "tries": 10},
        {"base": "1d1000", "last": 1, "tries": 10},
        {"base": "1d6", "weights": ["0", "0.000001", "999999"], "full": "999999.999999"},
    ),
    "destinator": [_map(["one"] * 22, ["city"] * 22), _map(_SLOTS, _SLOTS)],
    "game": [_game(1), _game(20)],
    "register": _of(
        "register",
        {"dice": 1, "sides": 2, "values": 2},
        {"dice": 1, "sides": 2, "values": 1_000},
        {"dice": 9, "sides": 100, "values": 1_000},
    ),
    "method": _of(
        "method",
        {"method": "table", "sides": 2, "values": 2},
        {"method": "table", "sides": 100, "values": 1_000},
        {"method": "table", "sides": [6, 4], "values": 20},
    ),
    "pool": _of("pool", {"sides": 2, "values": 2}, {"sides": 2, "values": 1_000}, {"sides": 100}),
    "leftovers": _of(
        "leftovers", {"sides": 2, "values": 3}, {"sides": 2, "values": 999}, {"sides": 100, "values": 999}
    ),
}
"""The smallest and the largest parameters, tables and chances, by system."""

_DCS = (9, 15, 12, 21, 4)
_SAMPLES = 12
_PLAYERS = 2


def rolled(system: System, dice: int = 32, seed: int = 7) -> list[Event]:
    """Return events of a roller's rolls by two players, or of checks on a luck account."""
    return _rolled(Campaign(), system, dice, seed)


def tuned(system: System, other: System) -> list[Event]:
    """Return 40 rolls of a roller that changes from `system` to `other` half way."""
    campaign = Campaign()
    return [*_rolled(campaign, system, 20, 7), *_rolled(campaign, other, 20, 8)]


def _rolled(campaign: Campaign, system: System, dice: int, seed: int) -> list[Event]:
    campaign.rollers["one"] = Roller("one", print_spec(system), Remembers.TABLE, epoch=0)
    draws, events = seeded(seed), list[Event]()
    for n in range(dice):
        command = RollDice("one")
        if isinstance(system, LuckAccount):
            terms = None if system.rank else CheckTerms(_DCS[n % 5], degrees=system.degrees)
            command = RollCheck("1d20", terms, "one", RollOptions(called=True))
        events.append(campaign.ask(command, draws, 1 + n % _PLAYERS))
    return events


def _stats(system: System, events: Sequence[Event]) -> str:
    if isinstance(system, LuckAccount):
        start_account = SeenAccount(events[-1].roll.after or system.start(), 0)
        account = AccountReport("one", system, record(events), start_account, len(events), 0, None)
        return plain(words.checks(account, words.Whose()))
    faces = [face for event in events for face in event.roll.results]
    luck = judge(system, [faces.count(face) for face in system.faces], trace((e, True) for e in events))
    words.luck_alt("one", luck)
    streak = longest_streak(system, faces)
    report = Report("one", system, luck, streak, len(events), 0)
    words.card(report, words.Whose(), Picture("stats.png", ""))
    return plain(words.details(report, words.Whose()))


def _rigged(system: System, events: Sequence[Event]) -> str:
    lines: list[str] = []
    for subject, fallen in falls(events).items():
        judged = system_of(subject.die, fallen)
        assert judged == system or not is_roller(subject.die)
        lines += doubts.verdict(judged, examine(judged, bet_on(subject.die, fallen)))
    return "\n".join(lines)


def _recap(system: System, events: Sequence[Event]) -> str:  # noqa: ARG001 (all judgements are alike)
    session = Session(1, 0.0, len(events), 1.0)
    evening = look_back((event, True) for event in events)
    assert not evening.unjudged
    picture = Picture("session.png", "")
    first = recap.card(session, evening, picture, "", CardButton("recap", (1,)))
    return plain(first) + plain(recap.details(session, evening))


def _odds(system: System, events: Sequence[Event]) -> str:
    memory = events[-1].roll.after or system.start()
    if isinstance(system, LuckAccount):
        if system.rank:
            return "refused"
        look = outlook("one", system, "1d20", CheckTerms(11, degrees=system.degrees), SeenAccount(memory, 0))
        return account_words.alt(account_words.bars(look))
    odds = Odds("one", "one", system, Remembers.TABLE, memory)
    side = odds_words.side("one", system, Remembers.TABLE, odds.chances())
    odds_words.bars(side, Span(), None)
    whole = odds_words.card(side, Span(), None, Picture("odds.png", ""), None)
    return plain(whole)


def _evening(system: System, events: Sequence[Event]) -> str:  # noqa: ARG001 (all judgements are alike)
    dice, deck = (curve(end, _SAMPLES) for end in ends(system))
    lines = tune_words.evening_lines([(system, curve(system, _SAMPLES))], dice, deck)
    return plain(tune_words.evening_card(lines, _SAMPLES, Picture("evening.png", "")))


JUDGEMENTS: Mapping[str, Callable[[System, Sequence[Event]], str]] = {
    "/stats": _stats,
    "/rigged": _rigged,
    "recap": _recap,
    "/odds": _odds,
    "/lab tune, evening": _evening,
}
