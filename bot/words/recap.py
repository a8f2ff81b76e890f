"""The words of /session: how an evening begins, and the look back on it: who stood out, if anybody did."""

from collections.abc import Sequence

from bot.campaign.histories import Session
from bot.stats.bands import ENOUGH_DICE
from bot.stats.best import BestRoll
from bot.stats.evenings import EveningSummary, Player, PlayerStreak
from bot.words.cards import Card, CardButton, Divider, Head, Picture, Small, Text, Tone
from bot.words.luck import COMMON, bits, typed
from bot.words.text import code, first_few, plural, share
from bot.words.text import player as whom

PLAYERS_SHOWN = 12
"""At most so many players are named."""
TITLE = "Everybody's dice this session"


def started(number: int) -> str:
    """Return the message that begins a session."""
    return f"A session begins at #{number}. `/session end` ends it and looks back at everybody's dice."


def card(session: Session, evening: EveningSummary, picture: Picture, foot: str, more: CardButton) -> Card:
    """Return the look back on an evening; `foot` stands small at its end."""
    verdict, told = _verdict(evening.players)
    lines = [*([_best(evening.best)] if evening.best else []), *_naturals(evening.players)]
    if evening.run and evening.run.streak.chance < COMMON:
        lines.append(_run(evening.run))
    shown = [picture] if evening.players else []
    best = [Divider(), Text("\n".join(lines))] if lines else []
    blocks = (Head(verdict, aside=_when(session, evening)), *([Text(told)] if told else []))
    small = Small("\n".join([*_left_out(session, evening), foot]))
    return Card((*blocks, *best, *shown, small), (more,) if shown else (), Tone.QUIET)


def details(session: Session, evening: EveningSummary) -> Card:
    """Return each player's dice, and what does not count."""
    lines = [_when(session, evening)]
    lines.append("Average rank of each player's dice, of 100 (50 is expected):")
    lines += [_player(player) for player in evening.players[:PLAYERS_SHOWN]]
    foot = f"{bits(evening.true, evening.rolls, 0)} Monsters' rolls are nobody's."
    return Card((Text("\n".join(lines)), Small(foot)), tone=Tone.QUIET)


def _left_out(session: Session, evening: EveningSummary) -> list[str]:
    lines: list[str] = []
    if session.cut:
        lines.append(f"Its rolls up to #{session.cut:,} are gone with the old history and don't count.")
    if names := first_few([code(name or "plain dice") for name in evening.unjudged], PLAYERS_SHOWN):
        lines.append(f"I could not judge the rolls of {names}, so they don't count.")
    return [*lines, *filter(None, [typed(evening.by_hand)])]


def _when(session: Session, evening: EveningSummary) -> str:
    first, last = int(session.began), int(session.ended or session.began)
    how_many = f"{plural(evening.rolls, 'roll')}, {plural(evening.dice, 'die', 'dice')}"
    return f"<t:{first}:t> to <t:{last}:t> · {how_many}"


def ranks_alt(names: Sequence[str], players: Sequence[Player]) -> str:
    """Return the chart's description, in at most 1,000 characters."""
    ranks = "; ".join(
        f"{name} {player.rank:.0f} (usual 50 ± {player.side:.0f})"
        for name, player in zip(names, players, strict=True)
    )
    return f"{TITLE}: average rank of each player's dice. {ranks}."[:1_000]


def _verdict(players: Sequence[Player]) -> tuple[str, str]:
    """Return what the evening was like in a few words, and who stood out."""
    if not players:
        return "The session", ""
    judged = [player for player in players if player.dice >= ENOUGH_DICE]
    if not judged:
        return "A short night", f"Nobody rolled {ENOUGH_DICE} dice: too few to say who was lucky."
    out = [player for player in judged if player.stands_out]
    if not out:
        return "An ordinary night", "Nobody's luck stood out."
    named = [(out[0], "Luckiest")] if out[0].luck > 0 else []
    named += [(out[-1], "Unluckiest")] if out[-1].luck < 0 else []
    return "An uneven night", "\n".join(
        f"{which}: {whom(player.user_id, player.character)}, average rank **{player.rank:.0f}** of 100 "
        f"(usual: {50 - player.side:.0f} to {50 + player.side:.0f})."
        for player, which in named
    )


def _naturals(players: Sequence[Player]) -> list[str]:
    """Return who rolled natural 20s, the most first."""
    found = sorted((player for player in players if player.highs), key=lambda player: -player.highs)
    told = first_few(
        [f"{whom(player.user_id, player.character)} {player.highs}" for player in found], PLAYERS_SHOWN
    )
    return [f"Natural 20s: {told}"] if told else []


def _player(player: Player) -> str:
    few = " (too few to tell)" if player.dice < ENOUGH_DICE else ""
    usual = "" if few else f" (usual: {50 - player.side:.0f} to {50 + player.side:.0f})"
    naturals = [
        f"{n} natural {face}{'s' if n > 1 else ''}" for n, face in ((player.highs, 20), (player.lows, 1)) if n
    ]
    told = f"; {' and '.join(naturals)}" if naturals else ""
    dice = plural(player.dice, "die", "dice")
    return f"· {whom(player.user_id, player.character)}: {player.rank:.0f} over {dice}{few}{usual}{told}"


def _best(best: BestRoll) -> str:
    what, common = code(best.event.roll.dice, 60), share(float(best.chance))
    who = whom(best.event.user_id, best.event.character)
    return f"Best roll: {who}, **{best.result}** on {what}, #{best.event.seq:,} ({common} rolls get that far)"


def _run(run: PlayerStreak) -> str:
    streak = run.streak
    what = f"{streak.length} × {code(streak.face, 40)} in a row on {code(run.die, 40)}"
    evenings = f"{share(streak.chance)} evenings of plain dice have one this rare"
    return f"Streak of the night: {whom(run.user_id, run.character)}, {what} ({evenings})"
