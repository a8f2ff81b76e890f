"""The words of /session: its beginning, and the look back on an evening."""

from collections.abc import Sequence

from bot.campaign.sessions import Session
from bot.stats.discrepancy import ENOUGH_ROLLS
from bot.stats.evenings import EveningSummary, Player, PlayerStreak
from cogs.kit.text import capital, code, mention, plural, share

TITLE = "Everybody's dice this session"

PLAYERS_SHOWN = 12
"""At most so many players are named."""


def started(number: int) -> str:
    """Return the message that begins a session."""
    return f"A session begins at #{number}. `/session end` ends it, with a look back on everybody's dice."


def ended(session: Session, evening: EveningSummary) -> str:
    """Return the look back on an evening."""
    first, last = int(session.began), int(session.ended or session.began)
    lines = [f"**The session** from <t:{first}:t> to <t:{last}:t>: {plural(evening.rolls, 'roll')}."]
    if session.cut:
        lines.append(f"Its rolls up to #{session.cut:,} were removed with the old history and are left out.")
    judged = [player for player in evening.players if player.rolls >= ENOUGH_ROLLS]
    if judged:
        lines.append(_best(judged[0]))
    elif evening.players:
        lines.append(f"Nobody rolled {ENOUGH_ROLLS} dice, so there is no telling who was lucky.")
    lines += [_player(player) for player in evening.players[:PLAYERS_SHOWN]]
    if evening.run:
        lines.append(_run(evening.run))
    lines.append(f"-# {evening.true:,} of {plural(evening.rolls, 'roll')} had true-random bits throughout.")
    return "\n".join(lines)


def alt(names: Sequence[str], players: Sequence[Player]) -> str:
    """Return the chart's description, in at most 1,000 characters."""
    ranks = "; ".join(
        f"{name} {player.rank:.0f} (usual 50 ± {player.side:.0f})"
        for name, player in zip(names, players, strict=True)
    )
    return f"{TITLE}: average rank of each player's dice. {ranks}."[:1_000]


def _best(player: Player) -> str:
    who = f"Luckiest against expectation: {mention(player.user_id)}"
    usual = f"50 is expected, and 19 of 20 such evenings lie within {player.side:.0f} of it"
    return f"{who}, whose dice ranked {player.rank:.0f} of 100 on average. {usual}."


def _player(player: Player) -> str:
    few = " (too few to tell)" if player.rolls < ENOUGH_ROLLS else ""
    return (
        f"· {mention(player.user_id)}: {player.rank:.0f} of 100 over {plural(player.rolls, 'die roll')}{few}"
    )


def _run(run: PlayerStreak) -> str:
    streak = run.streak
    what = f"{mention(run.user_id)} with {code(streak.face, 40)} {streak.length} times on {code(run.die, 40)}"
    common = f"{capital(share(streak.chance))} stretches of {plural(streak.rolls, 'roll')}"
    return f"Longest streak: {what}. {common} of plain dice have one as long."
