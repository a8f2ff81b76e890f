"""The words of /stats, /rigged and /session: figures beside what fair dice do."""

from collections.abc import Sequence
from math import exp

from bot.campaign.histories import Session
from bot.dice.system import System
from bot.stats.bands import ENOUGH_DICE
from bot.stats.best import BestRoll, Streak
from bot.stats.chi_square import ChiSquare
from bot.stats.evenings import EveningSummary, Player, PlayerStreak
from bot.stats.luck import Luck, Mean
from bot.stats.processes import ENOUGH
from bot.stats.reports import AccountReport, Report
from bot.stats.rigged import Examined
from bot.systems.luck import LuckAccount
from bot.systems.registry import CARD_SYSTEMS
from bot.words.checks import balance, passed
from bot.words.memories import table
from bot.words.systems import tag
from bot.words.text import capital, code, escape, first_few, mention, plural, share

_UNUSUAL, _RARE = 0.32, 0.05
_COMMON = 0.5
"""A streak that this many evenings have is not worth a line."""
_FACES_NAMED = 6
_MEMORY = "I compare each roll with its own odds, memory included. `/stats` shows how even the counts are."
COUNTED = (
    "-# Only rolls that everybody saw count, undone ones too. Hidden rolls, practice and typed dice don't."
)
"""Which rolls /rigged looks at: what is settled before they fall."""
_FEW = f"Too few to say anything yet. Ask again after {ENOUGH_DICE} dice."
PLAYERS_SHOWN = 12
"""A recap names at most so many players."""
RECAP_TITLE = "Everybody's dice this session"


def heading(name: str, session: Session | None) -> str:
    """Return the chart's title."""
    return f"{name}: rolled and expected{', one session' if session else ''}"


def note(report: Report) -> str:
    """Return the chart's second line."""
    return f"{counted(report.system, report.luck.dice)}. Grey bars: the usual range, 19 of 20 times"


def counted(system: System, n: int) -> str:
    """Return how many faces came out: "60 dice", "12 cards", "25 checks". A roll can be of many."""
    if isinstance(system, LuckAccount):
        return plural(n, "check")
    return plural(n, "card") if isinstance(system, CARD_SYSTEMS) else plural(n, "die", "dice")


def about(
    system: System, name: str, dice: int, user_id: int | None, session: Session | None, character: str = ""
) -> str:
    """Return the first line of an answer: whose, of what, how many, when."""
    whose = mention(user_id) if user_id is not None else "" if character else "Everybody"
    whose = " ".join(part for part in (f"**{escape(character)}**" if character else "", whose) if part)
    when = f", session from <t:{int(session.began)}:f>" if session else ""
    when += f", without the removed rolls up to #{session.cut:,}" if session and session.cut else ""
    return f"{whose} · {code(name)} · {counted(system, dice)}{when}"


def report(report: Report | AccountReport, user_id: int | None, character: str = "") -> str:
    """Return the whole answer."""
    if isinstance(report, AccountReport):
        return _checks(report, user_id, character)
    luck, system = report.luck, report.system
    first = about(system, report.name, luck.dice, user_id, report.session, character)
    if report.more:
        first += f", the newest ({report.more:,} older ones don't count)"
    if not luck.enough:
        return "\n".join([first, _FEW, table(luck.faces, luck.counts, luck.expected), _bits(report)])
    lines = [first, _inside(luck), _furthest(report)]
    if luck.mean:
        lines += [_mean(luck.mean), _night(luck.mean)]
    if report.plainly:
        lines.append("I don't know what the roller remembered before, so I compare with plain dice.")
    if report.streak and report.streak.length > 1:
        lines.append(_streak(report.streak))
    return "\n".join([*lines, _bits(report)])


def _checks(report: AccountReport, user_id: int | None, character: str) -> str:
    """Return the answer for a luck account: passes against expected, and how it stands."""
    lines = [
        about(report.system, report.name, report.checks.checks, user_id, report.session, character),
        passed(report.checks),
        f"Evened out on purpose: {tag(report.system)}.",
    ]
    if report.account:
        left = report.account.hidden
        without = f" ({plural(left, 'hidden check')} not shown)" if left else ""
        lines.append(f"Now: {balance(report.account.memory, passes=report.checks.passes)}{without}.")
    return "\n".join([*lines, _bits(report)])


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


def _furthest(report: Report) -> str:
    luck, worst = report.luck, report.luck.worst
    place = luck.faces.index(luck.furthest)
    side = "more" if luck.counts[place] > luck.expected[place] else "fewer"
    purpose = "This roller evens out on purpose. " if report.system.evens_out else ""
    rare = f" {capital(share(worst.chance))} runs have such a gap." if worst.error > worst.most else ""
    return (
        f"{purpose}Biggest gap: {code(luck.furthest, 60)}, {worst.error:.1f} {side} than expected. "
        f"Up to {worst.most:.1f} is normal.{rare}"
    )


def _mean(mean: Mean) -> str:
    usual = f"usual: {mean.low:.2f} to {mean.high:.2f}"
    return f"Mean **{float(mean.value):.2f}**, expected {float(mean.expected):.2f} ({usual})."


def _night(mean: Mean) -> str:
    """Return whether it was a bad night; both sides count, and the mean itself does."""
    low = mean.at_most < mean.at_least
    chance = min(1.0, 2 * min(mean.at_most, mean.at_least))
    if chance >= _UNUSUAL:
        return "Ordinary luck: fair dice do this all the time."
    common = f"{share(chance)} runs are this far off, up or down"
    if chance >= _RARE:
        return f"A bit {'unlucky' if low else 'lucky'}: {common}."
    return f"Very {'unlucky' if low else 'lucky'}: {common}. The next roll doesn't know."


def _streak(streak: Streak) -> str:
    common = f"{share(streak.chance)} runs of {streak.dice:,} plain dice have one this long"
    return f"Longest streak: {streak.length} × {code(streak.face, 40)} in a row ({common})."


def _bits(report: Report | AccountReport) -> str:
    true = f"{report.true:,} of {plural(report.rolls, 'roll')} used true-random bits."
    simulated = isinstance(report, Report) and report.luck.enough and report.luck.runs
    said = ["Hidden and undone rolls don't count.", by_hand(report.by_hand), true]
    return f"-# {' '.join(filter(None, said))}{' Usual ranges are simulated.' if simulated else ''}"


def by_hand(rolls: int) -> str:
    """Return how many rolls were thrown by hand and are left out; "" for none."""
    thrown = "1 roll was" if rolls == 1 else f"{rolls:,} rolls were"
    return f"{thrown} thrown by hand and left out." if rolls else ""


def verdict(system: System, examined: Examined) -> list[str]:
    """Return the answer line by line, without whose dice it is about."""
    if not examined.enough:
        return [_FEW]
    if examined.test is None:
        return [_evidence(examined), _MEMORY]
    return [_evidence(examined), _power(system, examined), _test(examined.test)]


def _evidence(examined: Examined) -> str:
    logs = examined.evidence.log_now, examined.evidence.log_most
    # They may be infinite, and e^21 is more than is told.
    now, most = (min(exp(min(one, 21)), 1e9) for one in logs)
    rule = "Fair dice get there in 1 campaign of {} at most, however often you look."
    if most < ENOUGH:
        return (
            f"**Nothing odd so far.** Suspicion: {_figure(now)}, at most {_figure(most)} until now. "
            f"{ENOUGH} would be a sign. {rule.format(ENOUGH)}"
        )
    often = "1,000,000,000 or more" if most >= 1e9 else f"{most:,.0f}"
    return (
        f"**Something is odd.** Suspicion: {_figure(now)}, at most {often} until now. "
        f"{ENOUGH} is a sign. {rule.format(often)}"
    )


def _power(system: System, examined: Examined) -> str:
    # Found by simulation, so good to two digits.
    takes = f"{round(examined.needed, -2):,}" if examined.needed else "more than 50,000"
    return (
        f"{counted(system, examined.dice)} so far. After {takes} I would notice a face that comes 20% too "
        "often."
    )


def _test(test: ChiSquare) -> str:
    return (
        f"Classic test, for a single look: {share(float(test.upper))} fair sets of dice look at least this "
        f"uneven, {share(float(test.lower))} at least this even (χ² {float(test.statistic):.1f}, "
        f"{'exact' if test.exact else 'simulated'})."
    )


def _figure(worth: float) -> str:
    return f"{worth:,.0f}" if worth >= 10 else f"{worth:.2g}"


def started(number: int) -> str:
    """Return the message that begins a session."""
    return f"A session begins at #{number}. `/session end` ends it and looks back at everybody's dice."


def recap(session: Session, evening: EveningSummary) -> str:
    """Return the look back on an evening."""
    first, last = int(session.began), int(session.ended or session.began)
    how_many = f"{plural(evening.rolls, 'roll')}, {plural(evening.dice, 'die', 'dice')}"
    lines = [f"**The session** from <t:{first}:t> to <t:{last}:t>: {how_many}."]
    if session.cut:
        lines.append(f"Its rolls up to #{session.cut:,} are gone with the old history and don't count.")
    if names := first_few([code(name or "plain dice") for name in evening.unjudged], PLAYERS_SHOWN):
        lines.append(f"I could not judge the rolls of {names}, so they don't count.")
    lines += _standing_out(evening.players)
    lines += [_player(player) for player in evening.players[:PLAYERS_SHOWN]]
    if evening.best:
        lines.append(_best(evening.best))
    if evening.run and evening.run.streak.chance < _COMMON:
        lines.append(_run(evening.run))
    true = f"{evening.true:,} of {plural(evening.rolls, 'roll')} used true-random bits."
    lines.append(f"-# {' '.join(filter(None, (by_hand(evening.by_hand), true)))}")
    return "\n".join(lines)


def ranks_alt(names: Sequence[str], players: Sequence[Player]) -> str:
    """Return the chart's description, in at most 1,000 characters."""
    ranks = "; ".join(
        f"{name} {player.rank:.0f} (usual 50 ± {player.side:.0f})"
        for name, player in zip(names, players, strict=True)
    )
    return f"{RECAP_TITLE}: average rank of each player's dice. {ranks}."[:1_000]


def _standing_out(players: Sequence[Player]) -> list[str]:
    judged = [player for player in players if player.dice >= ENOUGH_DICE]
    if not judged:
        few = f"Nobody rolled {ENOUGH_DICE} dice: too few to say who was lucky."
        return [few] if players else []
    out = [player for player in judged if player.stands_out]
    if not out:
        return ["Nobody's luck stood out tonight."]
    lines: list[str] = []
    for player, which in ((out[0], "Luckiest"), (out[-1], "Unluckiest")):
        if (player.luck > 0) is (which == "Luckiest"):
            lines.append(
                f"{which}: {mention(player.user_id)}, whose dice ranked {player.rank:.0f} of 100 on average "
                f"(usual: {50 - player.side:.0f} to {50 + player.side:.0f})."
            )
    return lines


def _player(player: Player) -> str:
    few = " (too few to tell)" if player.dice < ENOUGH_DICE else ""
    naturals = [
        f"{n} natural {face}{'s' if n > 1 else ''}" for n, face in ((player.highs, 20), (player.lows, 1)) if n
    ]
    told = f"; {' and '.join(naturals)}" if naturals else ""
    dice = plural(player.dice, "die", "dice")
    return f"· {mention(player.user_id)}: {player.rank:.0f} of 100 over {dice}{few}{told}"


def _best(best: BestRoll) -> str:
    what = code(best.event.roll.dice, 60)
    common = f"{share(float(best.chance))} rolls get that far"
    who = mention(best.event.user_id)
    return f"Best roll: {who} with **{best.result}** on {what}, #{best.event.seq:,} ({common})."


def _run(run: PlayerStreak) -> str:
    streak = run.streak
    what = (
        f"{mention(run.user_id)}, {streak.length} × {code(streak.face, 40)} in a row on {code(run.die, 40)}"
    )
    return f"Streak of the night: {what} ({share(streak.chance)} evenings of plain dice have one this rare)."
