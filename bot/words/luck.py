"""The cards of /stats: a verdict, one figure with its usual range, and behind *Details* all figures."""

from dataclasses import replace
from typing import NamedTuple

from bot.campaign.histories import Session
from bot.dice.system import OnBase, System
from bot.stats.bands import ENOUGH_DICE
from bot.stats.best import Streak
from bot.stats.check_evenings import AccountReport
from bot.stats.luck import Gain, Luck, Mean, Report
from bot.systems.luck import LuckAccount
from bot.systems.odds import are_numbers
from bot.systems.plain import PlainDice
from bot.systems.registry import CARD_SYSTEMS
from bot.words.cards import Card, CardButton, Head, Picture, Small, Text, Tone
from bot.words.checks import balance, passed
from bot.words.games import face, roller_name
from bot.words.memories import table
from bot.words.saying import TEXTS, phrase, say, say_many
from bot.words.systems import tag
from bot.words.text import capital, code, cut, escape, everyday_share, figure, first_few, mention

_UNUSUAL, _RARE = 0.32, 0.05
COMMON = 0.5
"""A streak or a roll at least this likely in an evening is not worth a line."""
_FACES_LISTED, _FACES_COUNTED = 6, 20
_OWNER = 60
_PURPOSE = phrase("This roller evens out on purpose.")
_PLAIN_EXPECTED = phrase("I don't know what the roller remembered before, so I compare with plain dice.")


def heading(name: str, session: Session | None) -> str:
    """Return the chart's title."""
    text = "{name}: rolled and expected, one session" if session else "{name}: rolled and expected"
    return say(text, name=name)


def in_words(report: Report) -> Report:
    """Return the report with the displayed names of its faces."""
    faces = tuple(face(report.system, label) for label in report.luck.faces)
    streak = report.streak and replace(report.streak, face=face(report.system, report.streak.face))
    return replace(report, luck=replace(report.luck, faces=faces), streak=streak)


def note(report: Report) -> str:
    """Return the chart's subtitle."""
    dice = counted(report.system, report.luck.dice)
    return say("{counted}. Grey bars: the usual range, 19 of 20 times", counted=dice)


def few() -> str:
    """Return that there are too few dice, cards or checks, and how many are needed."""
    return say("Too few to say anything yet. It takes {n}.", n=ENOUGH_DICE)


def counted(system: System, n: int) -> str:
    """Return a number of results: "60 dice", "42 rolls", "12 cards", "25 checks"."""
    if isinstance(system, LuckAccount):
        return say_many("{n} check", "{n:,} checks", n)
    if isinstance(system, CARD_SYSTEMS):
        return say_many("{n} card", "{n:,} cards", n)
    return say_many("{n} die", "{n:,} dice", n) if _is_die(system) else say_many("{n} roll", "{n:,} rolls", n)


def _is_die(system: System) -> bool:
    """Return True if a face is the number on one die, not a sum."""
    if not isinstance(system, OnBase):
        return False
    if dice := system.base.dice:
        return str(dice).removeprefix("1").removeprefix("d").isdecimal()
    return isinstance(system, PlainDice) and are_numbers(system.faces)


class Whose(NamedTuple):
    """The player and the character whose rolls an answer is about; by default everybody's."""

    user_id: int | None = None
    character: str = ""


def about(system: System, name: str, dice: int, subject: Whose, session: Session | None = None) -> str:
    """Return the first line of an answer: the player, the number of dice, the roller, the session."""
    user_id, character = subject
    owner = mention(user_id) if user_id is not None else "" if character else say("Everybody")
    owner = " ".join(part for part in (f"**{escape(character)}**" if character else "", owner) if part)
    parts = [counted(system, dice)]
    if session:
        parts.append(say("session from {when}", when=f"<t:{int(session.began)}:f>"))
    if session and session.cut:
        parts.append(say("without the removed rolls up to #{number:,}", number=session.cut))
    return f"{owner} · {code(roller_name(None, name))} · {', '.join(parts)}"


def card(report: Report, subject: Whose, picture: Picture, *buttons: CardButton) -> Card:
    """Return the answer: the verdict, one figure with its usual range, and the picture."""
    luck, first = report.luck, _first(report, subject)
    notes = [say(_PURPOSE)] if luck.enough and report.system.evens_out else []
    notes += [say(_PLAIN_EXPECTED)] if luck.enough and report.plainly else []
    notes += [typed(report.by_hand)] if report.by_hand else []
    small = [Small(" ".join(notes))] if notes else []
    owners = [_gain(gain, judged=luck.enough) for gain in luck.gains]
    if not luck.enough:
        text = Text("\n".join([_few(luck), *owners]))
        return Card((Head(say("Luck so far"), aside=first), text, *small), buttons, Tone.QUIET)
    average = _gap(luck) if luck.mean is None else _average(luck.mean)
    if luck.mean and _is_uneven(luck):
        average += f"\n{_gap(luck)}"
    head = Head(_verdict(luck, evening=report.session is not None), aside=first)
    return Card((head, Text("\n".join([average, *owners])), picture, *small), buttons, Tone.QUIET)


def _gain(gain: Gain, *, judged: bool) -> str:
    """Return the count of an owner's results and the expected one, with the usual range if `judged`."""
    text = "**{owner}** ({faces}): **{came:,}**, expected {expected:.1f}."
    if judged:
        text = (
            "**{owner}** ({faces}): **{came:,}**, expected {expected:.1f} (usual: {low:,.0f} to {high:,.0f})."
        )
    owner, faces = cut(gain.owner, _OWNER), cut(", ".join(gain.faces), _OWNER)
    values = {"came": gain.observed, "expected": float(gain.expected)}
    return say(text, owner=owner, faces=faces, low=gain.usual.low, high=gain.usual.high, **values)


def details(report: Report, subject: Whose) -> Card:
    """Return all figures."""
    luck, lines = report.luck, [_first(report, subject)]
    if not luck.enough:
        lines.append(_few(luck))
    else:
        purpose = [say(_PURPOSE)] if report.system.evens_out else []
        lines += [_inside(luck), " ".join([*purpose, _gap(luck)])]
        lines += [_mean(luck.mean), _night(luck, luck.mean)] if luck.mean else []
        lines += [say(_PLAIN_EXPECTED)] if report.plainly else []
        if report.streak and report.streak.chance < COMMON:
            lines.append(_streak(report.streak))
    lines += [_gain(gain, judged=luck.enough) for gain in luck.gains]
    is_single = subject != Whose()
    monsters = say("Monsters' rolls don't count." if is_single else "Monsters' rolls count too.")
    foot = [bits(report.true, report.rolls, report.by_hand), monsters]
    foot += [say("Usual ranges are simulated.")] if luck.enough and luck.runs else []
    return Card((Text("\n".join(lines)), Small(" ".join(foot))), tone=Tone.QUIET)


def checks(report: AccountReport, subject: Whose, *buttons: CardButton) -> Card:
    """Return the answer for a luck account: passed and expected checks, and its balance."""
    first = about(report.system, report.name, report.checks.checks, subject, report.session)
    lines = [passed(report.checks)]
    if report.account:
        hidden = report.account.hidden
        standing = balance(report.account.memory, passes=report.checks.passes)
        singular = "Now: {standing} ({n} hidden check not shown)."
        plural = "Now: {standing} ({n:,} hidden checks not shown)."
        now = say_many(singular, plural, hidden, standing=standing)
        lines.append(now if hidden else say("Now: {standing}.", standing=standing))
    rule = say("Evened out on purpose: {rule}.", rule=tag(report.system))
    foot = Small(f"{rule} {bits(report.true, report.rolls, report.by_hand)}")
    return Card((Head(say("Luck so far"), aside=first), Text("\n".join(lines)), foot), buttons, Tone.QUIET)


def _few(luck: Luck) -> str:
    if len(luck.faces) > _FACES_COUNTED:
        return few()
    face_rows = [*zip(luck.faces, luck.counts, luck.expected, strict=True)]
    # With fewer dice than faces most counts are 0, which says nothing.
    rows = [row for row in face_rows if row[1]] if luck.dice < len(luck.faces) else face_rows
    return f"{few()}\n{table(*zip(*rows, strict=True))}"


def bits(true: int, rolls: int, by_hand: int) -> str:
    """Return which rolls don't count, and how many of the others had true-random bits."""
    singular = "{true:,} of {n} roll used true-random bits."
    plural = "{true:,} of {n:,} rolls used true-random bits."
    true_random = say_many(singular, plural, rolls, true=true) if rolls else ""
    left_out = say("Hidden and undone rolls don't count.")
    return " ".join(filter(None, [left_out, typed(by_hand), true_random]))


def typed(by_hand: int) -> str:
    """Return the number of rolls thrown by hand; "" for none."""
    plural = "{n:,} rolls were thrown by hand and left out."
    return say_many("1 roll was thrown by hand and left out.", plural, by_hand) if by_hand else ""


def _first(report: Report, subject: Whose) -> str:
    """Return the first line of an answer, with the number of older dice that don't count."""
    first = about(report.system, report.name, report.luck.dice, subject, report.session)
    if not report.more:
        return first
    older = say("the newest ({n:,} older ones don't count)", n=report.more)
    return f"{first}, {older}"


def _verdict(luck: Luck, *, evening: bool) -> str:
    """Return the verdict in a few words."""
    if luck.mean is None:
        return say("Uneven") if _is_uneven(luck) else say("As even as usual")
    if (verdict := _unusual(luck.mean)) is not None:
        return say(verdict["short"])
    if _is_uneven(luck):
        return say("Ordinary average, uneven faces")
    return say("An ordinary night") if evening else say("Ordinary luck")


def _is_uneven(luck: Luck) -> bool:
    return luck.worst.error > luck.worst.most


def _average(mean: Mean) -> str:
    """Return the average with its usual range, rounded to enough digits to show if it is inside."""
    exact = mean.low, float(mean.value), mean.high

    def shows_inside(digits: int) -> bool:
        low, value, high = (round(number, digits) for number in exact)
        return low != high and (low <= value <= high) is (exact[0] <= exact[1] <= exact[2])

    digits = next(filter(shows_inside, (1, 2)), 3)
    low, value, high = (figure(round(number, digits), f".{digits}f") for number in exact)
    text = say("Average **{value}** (usual: {low} to {high}).", value=value, low=low, high=high)
    if _unusual(mean) is None:
        return text
    share = capital(everyday_share(_rarity(mean)))
    common = say("{share} runs are this far off, up or down.", share=share)
    return f"{text} {common}"


def _rarity(mean: Mean) -> float:
    """Return the two-sided probability of a mean at least this extreme."""
    return min(1.0, 2 * min(mean.at_most, mean.at_least))


def _unusual(mean: Mean) -> dict[str, str] | None:
    """Return the verdict on an unusual mean, alone and with its frequency; None for an ordinary one."""
    chance, luck = _rarity(mean), "lucky" if mean.at_most >= mean.at_least else "unlucky"
    return TEXTS["luck"][luck]["very" if chance < _RARE else "bit"] if chance < _UNUSUAL else None


def luck_alt(title: str, luck: Luck) -> str:
    """Return the chart's alternative text, at most 1,000 characters."""
    counts = "; ".join(
        say("{face}: {count}, usually {low} to {high}", face=name, count=count, low=band.low, high=band.high)
        for name, count, band in zip(luck.faces, luck.counts, luck.bands, strict=True)
    )
    return say("{title}: how often each face came up. {told}.", title=title, told=counts)[:1_000]


def _inside(luck: Luck) -> str:
    outside = [
        say("{face} ({count}, usually {low} to {high})", face=name, count=count, low=band.low, high=band.high)
        for name, count, band in zip(luck.faces, luck.counts, luck.bands, strict=True)
        if count not in band
    ]
    faces = len(luck.faces)
    if not outside:
        return say_many("It has one face.", "All {n:,} faces came up about as often as they should.", faces)
    others = first_few([code(name, 60) for name in outside], _FACES_LISTED)
    singular = "{inside} of {n} face came up about as often as it should. The others: {named}."
    plural = "{inside} of {n:,} faces came up about as often as they should. The others: {named}."
    return say_many(singular, plural, faces, inside=luck.inside, named=others)


def _gap(luck: Luck) -> str:
    worst, index = luck.worst, luck.faces.index(luck.furthest)
    text = "Biggest gap: {face}, {gap:.1f} fewer than expected. Up to {most:.1f} is normal."
    if luck.counts[index] > luck.expected[index]:
        text = "Biggest gap: {face}, {gap:.1f} more than expected. Up to {most:.1f} is normal."
    text = say(text, face=code(luck.furthest, 60), gap=worst.error, most=worst.most)
    if not _is_uneven(luck):
        return text
    rare = say("{share} runs have such a gap.", share=capital(everyday_share(worst.chance)))
    return f"{text} {rare}"


def _mean(mean: Mean) -> str:
    text = "Mean **{value:.2f}**, expected {expected:.2f} (usual: {low:.2f} to {high:.2f})."
    return say(text, value=float(mean.value), expected=float(mean.expected), low=mean.low, high=mean.high)


def _night(luck: Luck, mean: Mean) -> str:
    """Return the verdict in a sentence."""
    if (verdict := _unusual(mean)) is not None:
        return say(verdict["whole"], share=everyday_share(_rarity(mean)))
    if _is_uneven(luck):
        return say("The average is ordinary, the faces are not.")
    return say("Ordinary luck: fair dice do this all the time.")


def _streak(streak: Streak) -> str:
    text = (
        "Longest streak: {length} × {face} in a row ({share} runs of {dice:,} plain dice have one this long)."
    )
    label, share = code(streak.face, 40), everyday_share(streak.chance)
    return say(text, length=streak.length, face=label, share=share, dice=streak.dice)
