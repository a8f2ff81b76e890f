"""The words of /stats, /rigged and /session: figures with what is usual beside them."""

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
from bot.words.systems import tag
from bot.words.text import capital, code, first_few, mention, plural, share

_UNUSUAL, _RARE = 0.32, 0.05
_FACES_NAMED = 6
_MEMORY = (
    "Each was held against the very chances that it was drawn by, memory and all; `/stats` tells how even "
    "the counts are."
)
COUNTED = "-# Rolls count that all saw fall, undone ones too; hidden rolls, practice and typed dice do not."
"""Which rolls /rigged looks at: what is settled before they fall."""
PLAYERS_SHOWN = 12
"""A recap names at most so many players."""
RECAP_TITLE = "Everybody's dice this session"


def heading(name: str, session: Session | None) -> str:
    """Return the chart's title."""
    return f"{name}: rolled and expected{', one session' if session else ''}"


def note(report: Report) -> str:
    """Return the chart's second line."""
    return f"{counted(report.system, report.luck.dice)}; the grey bars are where 19 of 20 counts lie"


def counted(system: System, n: int) -> str:
    """Return how many faces came out: "60 dice", "12 cards", "25 checks". A roll can be of many."""
    if isinstance(system, LuckAccount):
        return plural(n, "check")
    return plural(n, "card") if isinstance(system, CARD_SYSTEMS) else plural(n, "die", "dice")


def about(system: System, name: str, dice: int, user_id: int | None, session: Session | None) -> str:
    """Return the first line of an answer: whose, of what, how many, when."""
    whose = mention(user_id) if user_id is not None else "Everybody"
    when = f", session from <t:{int(session.began)}:f>" if session else ""
    when += f", without the removed rolls up to #{session.cut:,}" if session and session.cut else ""
    return f"{whose} · {code(name)} · {counted(system, dice)}{when}"


def report(report: Report | AccountReport, user_id: int | None) -> str:
    """Return the whole answer."""
    if isinstance(report, AccountReport):
        return _checks(report, user_id)
    luck, system = report.luck, report.system
    first = about(system, report.name, luck.dice, user_id, report.session)
    if report.more:
        first += f"; these are the newest, {report.more:,} older ones are left out"
    if not luck.enough:
        few = f"Too few to say anything: from {ENOUGH_DICE} on I tell what is usual."
        return "\n".join([first, few, _bits(report)])
    lines = [first, _inside(luck), _furthest(report)]
    if luck.mean:
        lines += [_mean(luck.mean), _night(luck.mean)]
    if report.plainly:
        lines.append("What memory they began with is not on record, so they are compared with plain dice.")
    if report.streak and report.streak.length > 1:
        lines.append(_streak(report.streak))
    return "\n".join([*lines, _bits(report)])


def _checks(report: AccountReport, user_id: int | None) -> str:
    """Return the answer for a luck account: passes against expected, and how it stands."""
    lines = [
        about(report.system, report.name, report.checks.checks, user_id, report.session),
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
        return f"All {of} came up as often as is usual." if len(luck.faces) > 1 else "It has one face."
    named = ", ".join(code(face, 60) for face in outside[:_FACES_NAMED])
    more = f" and {len(outside) - _FACES_NAMED} more" if len(outside) > _FACES_NAMED else ""
    return f"{luck.inside} of {of} came up as often as is usual; about 19 of 20 do. Not so: {named}{more}."


def _furthest(report: Report) -> str:
    worst = report.luck.worst
    purpose = "Counts are evened out on purpose. " if report.system.evens_out else ""
    rare = f" {capital(share(worst.chance))} are as far off." if worst.error > worst.most else ""
    return (
        f"{purpose}The face furthest from its share is {code(report.luck.furthest, 60)}, off by "
        f"{worst.error:.1f}. Of stretches like this half stay within {worst.half:.1f}, 19 of 20 within "
        f"{worst.most:.1f}.{rare}"
    )


def _mean(mean: Mean) -> str:
    usual = f"19 of 20 stretches like this lie between {mean.low:.2f} and {mean.high:.2f}"
    return f"Mean **{float(mean.value):.2f}**, expected {float(mean.expected):.2f}; {usual}."


def _night(mean: Mean) -> str:
    """Return whether it was a bad night; both sides count, and the mean itself does."""
    low = mean.at_most < mean.at_least
    chance = min(1.0, 2 * min(mean.at_most, mean.at_least))
    if chance >= _UNUSUAL:
        return "An ordinary stretch: fair dice do that all the time."
    common = f"{share(chance)} stretches are as far from what is expected, low or high"
    if chance >= _RARE:
        return f"{'Unlucky' if low else 'Lucky'}, as one is now and then: {common}."
    night = "Yes, a bad stretch" if low else "A very good stretch"
    return f"{night}: {common}. The next roll knows nothing of it."


def _streak(streak: Streak) -> str:
    common = f"{capital(share(streak.chance))} stretches of {streak.dice:,} plain dice have one as long"
    return f"Longest streak: {code(streak.face, 40)}, {streak.length} times in a row. {common}."


def _bits(report: Report | AccountReport) -> str:
    usual = "worked out exactly"
    told = isinstance(report, AccountReport) or report.luck.enough
    if isinstance(report, Report) and report.luck.runs:
        usual = f"told by {report.luck.runs:,} simulated stretches that begin with the same memory"
    about = f" What is usual is {usual}." if told else ""
    true = f"{report.true:,} of {plural(report.rolls, 'roll')} had true-random bits throughout."
    return f"-# {true} Hidden and undone rolls are left out.{about}"


def verdict(system: System, examined: Examined) -> list[str]:
    """Return the answer line by line, without whose dice it is about."""
    if not examined.enough:
        return [f"Too few to say anything: from {ENOUGH_DICE} on I tell what there is against them."]
    if examined.test is None:
        return [_evidence(examined), _MEMORY]
    return [_evidence(examined), _power(system, examined), _test(examined.test)]


def _evidence(examined: Examined) -> str:
    logs = examined.evidence.log_now, examined.evidence.log_most
    # They may be infinite, and e^21 is more than is told.
    now, most = (min(exp(min(one, 21)), 1e9) for one in logs)
    rule = "Fair ones get there in at most 1 of {} histories, however often somebody looks."
    if most < ENOUGH:
        return (
            f"**No sign of it.** The evidence against them is {_figure(now)}, and was {_figure(most)} at its "
            f"highest; from {ENOUGH} on it would be a sign. {rule.format(ENOUGH)}"
        )
    often = "1,000,000,000 or more" if most >= 1e9 else f"{most:,.0f}"
    return (
        f"**There is something against them.** The evidence is {_figure(now)}, and was {often} at its "
        f"highest; from {ENOUGH} on it is a sign. {rule.format(often)}"
    )


def _power(system: System, examined: Examined) -> str:
    # Found by simulation, so good to two digits.
    takes = f"about {round(examined.needed, -2):,}" if examined.needed else "more than 50,000"
    return (
        f"So far there are {counted(system, examined.dice)}. It would take {takes} to notice one face that "
        "comes 20 % too often."
    )


def _test(test: ChiSquare) -> str:
    return (
        f"The usual test, which is good for a single look: χ² is {float(test.statistic):.1f}. "
        f"{capital(share(float(test.upper)))} rows of so many fair dice are at least as uneven, "
        f"{share(float(test.lower))} at least as even ({'exact' if test.exact else 'simulated'})."
    )


def _figure(worth: float) -> str:
    return f"{worth:,.0f}" if worth >= 10 else f"{worth:.2g}"


def started(number: int) -> str:
    """Return the message that begins a session."""
    return f"A session begins at #{number}. `/session end` ends it, with a look back on everybody's dice."


def recap(session: Session, evening: EveningSummary) -> str:
    """Return the look back on an evening."""
    first, last = int(session.began), int(session.ended or session.began)
    how_many = f"{plural(evening.rolls, 'roll')}, {plural(evening.dice, 'die', 'dice')}"
    lines = [f"**The session** from <t:{first}:t> to <t:{last}:t>: {how_many}."]
    if session.cut:
        lines.append(f"Its rolls up to #{session.cut:,} were removed with the old history and are left out.")
    if names := first_few([code(name or "plain dice") for name in evening.unjudged], PLAYERS_SHOWN):
        lines.append(f"I could not judge the rolls of {names}. They are left out.")
    lines += _standing_out(evening.players)
    lines += [_player(player) for player in evening.players[:PLAYERS_SHOWN]]
    if evening.best:
        lines.append(_best(evening.best))
    if evening.run:
        lines.append(_run(evening.run))
    lines.append(f"-# {evening.true:,} of {plural(evening.rolls, 'roll')} had true-random bits throughout.")
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
        few = f"Nobody rolled {ENOUGH_DICE} dice, so there is no telling who was lucky."
        return [few] if players else []
    out = [player for player in judged if player.stands_out]
    if not out:
        return ["Nobody stood out: all ranked as 19 of 20 such evenings do, with 50 of 100 expected."]
    lines: list[str] = []
    for player, which in ((out[0], "Luckiest"), (out[-1], "Unluckiest")):
        if (player.luck > 0) is (which == "Luckiest"):
            lines.append(
                f"{which} against expectation: {mention(player.user_id)}, whose dice ranked "
                f"{player.rank:.0f} of 100 on average. 50 is expected, and 19 of 20 such evenings lie within "
                f"{player.side:.0f} of it."
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
    roll = best.event.roll
    what = code(roll.text or roll.roller, 60)
    common = f"{share(float(best.chance))} rolls of it come to as much"
    who = mention(best.event.user_id)
    return f"Best roll: {who} with **{best.result}** on {what}, #{best.event.seq:,}; {common}."


def _run(run: PlayerStreak) -> str:
    streak = run.streak
    what = f"{mention(run.user_id)}, {code(streak.face, 40)} {streak.length} times in a row"
    looked = f"{plural(streak.looked, 'row')} of dice looked at, one for each player and die"
    common = f"{share(streak.chance)} evenings of plain dice have one as rare"
    return f"Rarest streak: {what} on {code(run.die, 40)}; {common} ({looked})."
