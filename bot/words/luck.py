"""The words of /stats: a verdict, one figure and its usual range; in *Details* all the others."""

from bot.campaign.histories import Session
from bot.dice.system import OnBase, System
from bot.stats.bands import ENOUGH_DICE
from bot.stats.best import Streak
from bot.stats.luck import Luck, Mean
from bot.stats.reports import AccountReport, Report
from bot.systems.luck import LuckAccount
from bot.systems.odds import are_numbers
from bot.systems.plain import PlainDice
from bot.systems.registry import CARD_SYSTEMS
from bot.words.cards import Card, CardButton, Head, Picture, Small, Text, Tone
from bot.words.checks import balance, passed
from bot.words.memories import table
from bot.words.systems import tag
from bot.words.text import capital, code, escape, mention, plural, share

_UNUSUAL, _RARE = 0.32, 0.05
COMMON = 0.5
"""A streak that this many evenings have is not worth a line."""
_FACES_NAMED, _FACES_TOLD = 6, 20
TOO_FEW = "Too few to say"
_PURPOSE = "This roller evens out on purpose."
_MONSTERS = "Monsters' rolls count too."
_PLAINLY = "I don't know what the roller remembered before, so I compare with plain dice."
FEW = f"Too few to say anything yet. Ask again after {ENOUGH_DICE} dice."


def heading(name: str, session: Session | None) -> str:
    """Return the chart's title."""
    return f"{name}: rolled and expected{', one session' if session else ''}"


def note(report: Report) -> str:
    """Return the chart's second line."""
    return f"{counted(report.system, report.luck.dice)}. Grey bars: the usual range, 19 of 20 times"


def counted(system: System, n: int) -> str:
    """Return how many faces came out: "60 dice", "42 rolls", "12 cards", "25 checks"."""
    if isinstance(system, LuckAccount):
        return plural(n, "check")
    if isinstance(system, CARD_SYSTEMS):
        return plural(n, "card")
    return plural(n, "die", "dice") if _is_die(system) else plural(n, "roll")


def _is_die(system: System) -> bool:
    """Return whether a face is what one die shows, and no sum."""
    if not isinstance(system, OnBase):
        return False
    if dice := system.base.dice:
        return str(dice).removeprefix("1").removeprefix("d").isdecimal()
    return isinstance(system, PlainDice) and are_numbers(system.faces)


def about(
    system: System,
    name: str,
    dice: int,
    user_id: int | None,
    session: Session | None = None,
    character: str = "",
) -> str:
    """Return the first line of an answer: whose, of what, how many, when."""
    whose = mention(user_id) if user_id is not None else "" if character else "Everybody"
    whose = " ".join(part for part in (f"**{escape(character)}**" if character else "", whose) if part)
    when = f", session from <t:{int(session.began)}:f>" if session else ""
    when += f", without the removed rolls up to #{session.cut:,}" if session and session.cut else ""
    return f"{whose} · {code(name)} · {counted(system, dice)}{when}"


def card(report: Report, user_id: int | None, character: str, picture: Picture, *buttons: CardButton) -> Card:
    """Return the answer: whether that is usual, one figure with its usual range, and the picture."""
    luck, first = report.luck, _first(report, user_id, character)
    notes = [_PURPOSE] if luck.enough and report.system.evens_out else []
    notes += [_PLAINLY] if luck.enough and report.plainly else []
    notes += [typed(report.by_hand)] if report.by_hand else []
    small = [Small(" ".join(notes))] if notes else []
    if not luck.enough:
        return Card((Head(TOO_FEW, aside=first), Text(_few(luck)), *small), buttons, Tone.QUIET)
    said = _gap(luck) if luck.mean is None else _average(luck.mean)
    head = Head(_verdict(luck, evening=report.session is not None), aside=first)
    return Card((head, Text(said), picture, *small), buttons, Tone.QUIET)


def details(report: Report, user_id: int | None, character: str = "") -> Card:
    """Return all figures."""
    luck, lines = report.luck, [_first(report, user_id, character)]
    if not luck.enough:
        lines.append(_few(luck))
    else:
        lines += [_inside(luck), f"{_PURPOSE if report.system.evens_out else ''} {_gap(luck)}".strip()]
        lines += [_mean(luck.mean), _night(luck.mean)] if luck.mean else []
        lines += [_PLAINLY] if report.plainly else []
        if report.streak and report.streak.chance < COMMON:
            lines.append(_streak(report.streak))
    simulated = " Usual ranges are simulated." if luck.enough and luck.runs else ""
    foot = Small(f"{bits(report.true, report.rolls, report.by_hand)} {_MONSTERS}{simulated}")
    return Card((Text("\n".join(lines)), foot), tone=Tone.QUIET)


def checks(report: AccountReport, user_id: int | None, character: str, *buttons: CardButton) -> Card:
    """Return the answer for a luck account: passes against expected, and how it stands."""
    first = about(report.system, report.name, report.checks.checks, user_id, report.session, character)
    lines = [passed(report.checks)]
    if report.account:
        left = report.account.hidden
        without = f" ({plural(left, 'hidden check')} not shown)" if left else ""
        lines.append(f"Now: {balance(report.account.memory, passes=report.checks.passes)}{without}.")
    rule = f"Evened out on purpose: {tag(report.system)}. "
    foot = Small(f"{rule}{bits(report.true, report.rolls, report.by_hand)}")
    return Card((Head("Luck so far", aside=first), Text("\n".join(lines)), foot), buttons, Tone.QUIET)


def _few(luck: Luck) -> str:
    shown = len(luck.faces) <= _FACES_TOLD
    return f"{FEW}\n{table(luck.faces, luck.counts, luck.expected)}" if shown else FEW


def bits(true: int, rolls: int, by_hand: int) -> str:
    """Return which rolls don't count, and how many of the others had true-random bits, if that is known."""
    true_random = f"{true:,} of {plural(rolls, 'roll')} used true-random bits." if rolls else ""
    return " ".join(filter(None, ["Hidden and undone rolls don't count.", typed(by_hand), true_random]))


def typed(by_hand: int) -> str:
    """Return how many rolls were thrown by hand; "" for none."""
    thrown = "1 roll was" if by_hand == 1 else f"{by_hand:,} rolls were"
    return f"{thrown} thrown by hand and left out." if by_hand else ""


def _first(report: Report, user_id: int | None, character: str) -> str:
    """Return whose numbers they are, of what, and of how many."""
    older = f", the newest ({report.more:,} older ones don't count)" if report.more else ""
    first = about(report.system, report.name, report.luck.dice, user_id, report.session, character)
    return f"{first}{older}"


def _verdict(luck: Luck, *, evening: bool) -> str:
    """Return whether that is usual, in a few words."""
    if luck.mean is None:
        return "As even as usual" if luck.worst.error <= luck.worst.most else "Uneven"
    chance, side = _rarity(luck.mean)
    if chance >= _UNUSUAL:
        return "An ordinary night" if evening else "Ordinary luck"
    return f"{'A bit' if chance >= _RARE else 'Very'} {side}"


def _average(mean: Mean) -> str:
    """Return the average with its usual range, in as many digits as tell whether it is within."""
    low = value = high = ""
    for digits in (1, 2, 3):
        low, value, high = (f"{float(one):.{digits}f}" for one in (mean.low, mean.value, mean.high))
        within = float(low) <= float(value) <= float(high)
        if low != high and within is (mean.low <= float(mean.value) <= mean.high):
            break
    chance, _ = _rarity(mean)
    common = f" {capital(share(chance))} runs are this far off, up or down." if chance < _UNUSUAL else ""
    return f"Average **{value}** (usual: {low} to {high}).{common}"


def _rarity(mean: Mean) -> tuple[float, str]:
    """Return how common so high or low a mean is, both sides and itself counted, and which side it is on."""
    side = "unlucky" if mean.at_most < mean.at_least else "lucky"
    return min(1.0, 2 * min(mean.at_most, mean.at_least)), side


def luck_alt(title: str, luck: Luck) -> str:
    """Return the chart's description, in at most 1,000 characters."""
    faces = zip(luck.faces, luck.counts, luck.bands, strict=True)
    told = "; ".join(f"{face}: {count}, usually {band.low} to {band.high}" for face, count, band in faces)
    return f"{title}: how often each face came up. {told}."[:1_000]


def _inside(luck: Luck) -> str:
    outside = [
        f"{face} ({count}, usually {band.low} to {band.high})"
        for face, count, band in zip(luck.faces, luck.counts, luck.bands, strict=True)
        if count not in band
    ]
    of = plural(len(luck.faces), "face")
    if not outside:
        return (
            f"All {of} came up about as often as they should." if len(luck.faces) > 1 else "It has one face."
        )
    named = ", ".join(code(face, 60) for face in outside[:_FACES_NAMED])
    more = f" and {len(outside) - _FACES_NAMED} more" if len(outside) > _FACES_NAMED else ""
    return f"{luck.inside} of {of} came up about as often as they should. The others: {named}{more}."


def _gap(luck: Luck) -> str:
    worst, place = luck.worst, luck.faces.index(luck.furthest)
    side = "more" if luck.counts[place] > luck.expected[place] else "fewer"
    rare = f" {capital(share(worst.chance))} runs have such a gap." if worst.error > worst.most else ""
    return (
        f"Biggest gap: {code(luck.furthest, 60)}, {worst.error:.1f} {side} than expected. "
        f"Up to {worst.most:.1f} is normal.{rare}"
    )


def _mean(mean: Mean) -> str:
    usual = f"usual: {mean.low:.2f} to {mean.high:.2f}"
    return f"Mean **{float(mean.value):.2f}**, expected {float(mean.expected):.2f} ({usual})."


def _night(mean: Mean) -> str:
    """Return whether it was a bad night."""
    chance, side = _rarity(mean)
    if chance >= _UNUSUAL:
        return "Ordinary luck: fair dice do this all the time."
    common = f"{share(chance)} runs are this far off, up or down"
    if chance >= _RARE:
        return f"A bit {side}: {common}."
    return f"Very {side}: {common}. The next roll doesn't know."


def _streak(streak: Streak) -> str:
    common = f"{share(streak.chance)} runs of {streak.dice:,} plain dice have one this long"
    return f"Longest streak: {streak.length} × {code(streak.face, 40)} in a row ({common})."
