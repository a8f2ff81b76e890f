"""The words of /session: an evening's beginning, and the look back on it."""

from collections.abc import Sequence

from bot.campaign.histories import Session
from bot.stats.bands import ENOUGH_DICE
from bot.stats.best import BestRoll
from bot.stats.evenings import EveningSummary, Player, PlayerStreak
from cogs.kit.text import code, mention, plural, share

PLAYERS_SHOWN = 12
"""A recap names at most so many players."""
RECAP_TITLE = "Everybody's dice this session"


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
