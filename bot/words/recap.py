"""The texts of /session: the message at its beginning, and the summary at its end."""

from collections.abc import Sequence

from bot.campaign.histories import Session
from bot.campaign.replay import read_roll
from bot.dice.throws import Unit
from bot.stats.bands import ENOUGH_DICE
from bot.stats.best import BestRoll
from bot.stats.evenings import EveningSummary, Player, PlayerStreak
from bot.times import DAY
from bot.words.cards import Card, CardButton, Divider, Head, Picture, Small, Text, Tone
from bot.words.checks import contested
from bot.words.luck import COMMON, bits, typed
from bot.words.saying import join_with_and, phrase, say, say_many
from bot.words.text import code, everyday_share, first_few, lines_within
from bot.words.text import player as whom

PLAYERS_SHOWN = 12
"""Most players in a chart, or in one line."""
_DETAILS = 1_500
"""Characters of lines of players, that with all else fit into a message of text."""
TITLE = phrase("Everybody's dice this session")
_LUCKIEST = phrase("Luckiest: {player}, average rank **{rank:.0f}** of 100 (usual: {low:.0f} to {high:.0f}).")
_UNLUCKIEST = phrase(
    "Unluckiest: {player}, average rank **{rank:.0f}** of 100 (usual: {low:.0f} to {high:.0f})."
)


def started(number: int, forgotten: Session | None = None) -> str:
    """Return the message that begins a session; `forgotten` is the one before it if nobody ended that."""
    text = "A session begins at #{number}. `/session end` ends it and looks back at everybody's dice."
    begins = say(text, number=number)
    if forgotten is None:
        return begins
    when = f"<t:{int(forgotten.began)}:f>"
    text = "That ends the one since {when}, which nobody had ended. `/session show` looks back at it."
    ended = say(text, when=when)
    return f"{begins}\n{ended}"


def card(session: Session, evening: EveningSummary, picture: Picture, foot: str, more: CardButton) -> Card:
    """Return the summary of an evening, with `foot` as its small last line."""
    verdict, text = _verdict(evening.players)
    best = evening.best if evening.best and evening.best.chance < COMMON else None
    lines = [*([_best(best)] if best else []), *_naturals(evening.players)]
    if evening.run and evening.run.streak.chance < COMMON:
        lines.append(_run(evening.run))
    pictures = [picture] if evening.players else []
    below = [Divider(), Text("\n".join(lines))] if lines else []
    blocks = (Head(verdict, aside=_when(session, evening)), *([Text(text)] if text else []))
    small = Small("\n".join([*_left_out(session, evening), foot]))
    return Card((*blocks, *below, *pictures, small), (more,) if pictures else (), Tone.QUIET)


def details(session: Session, evening: EveningSummary) -> Card:
    """Return the rank of each player's dice, and the rolls that don't count."""
    lines = [_when(session, evening)]
    lines.append(say("Average rank of each player's dice, of 100 (50 is expected):"))
    lines.append(lines_within([*map(_player, evening.players)], _DETAILS))
    foot = say("{bits} Monsters' rolls count for nobody.", bits=bits(evening.true, evening.rolls, 0))
    return Card((Text("\n".join(lines)), Small(foot)), tone=Tone.QUIET)


def _left_out(session: Session, evening: EveningSummary) -> list[str]:
    lines: list[str] = []
    if session.cut:
        text = "Its rolls up to #{cut:,} are gone with the old history and don't count."
        lines.append(say(text, cut=session.cut))
    if names := first_few([code(name or say("plain dice")) for name in evening.unjudged], PLAYERS_SHOWN):
        lines.append(say("I could not judge the rolls of {names}, so they don't count.", names=names))
    if (n := len(evening.players)) > PLAYERS_SHOWN:
        lines.append(say("The picture shows the luckiest and the unluckiest of {n} players.", n=n))
    return [*lines, *filter(None, [typed(evening.by_hand)])]


def _when(session: Session, evening: EveningSummary) -> str:
    first, rolls = f"<t:{int(session.began)}:f>", say_many("{n} roll", "{n:,} rolls", evening.rolls)
    if session.ended is None:
        return say("since {first} · {rolls}", first=first, rolls=rolls)
    # Within a day the time alone says when it ended.
    last = f"<t:{int(session.ended)}:{'f' if session.ended - session.began >= DAY else 't'}>"
    return say("{first} to {last} · {rolls}", first=first, last=last, rolls=rolls)


def pictured(players: Sequence[Player]) -> Sequence[Player]:
    """Return the players of the chart: all, or the first and last six of more than twelve."""
    half = PLAYERS_SHOWN // 2
    return players if len(players) <= PLAYERS_SHOWN else (*players[:half], *players[-half:])


def ranks_alt(names: Sequence[str], players: Sequence[Player]) -> str:
    """Return the chart's alternative text, at most 1,000 characters."""
    ranks = "; ".join(
        say("{name} {rank:.0f} (usual 50 ± {side:.0f})", name=name, rank=player.rank, side=player.side)
        for name, player in zip(names, players, strict=True)
    )
    return say("{title}: average rank of each player's dice. {ranks}.", title=say(TITLE), ranks=ranks)[:1_000]


def _verdict(players: Sequence[Player]) -> tuple[str, str]:
    """Return the verdict on the evening, and the players whose luck stands out."""
    if not players:
        return say("The session"), ""
    judged = [player for player in players if player.dice >= ENOUGH_DICE]
    if not judged:
        text = "Nobody rolled {enough_dice} dice: too few to say who was lucky."
        return say("A short night"), say(text, enough_dice=ENOUGH_DICE)
    outliers = [player for player in judged if player.stands_out]
    if not outliers:
        return say("An ordinary night"), say("Nobody's luck stood out.")
    lines = [(outliers[0], _LUCKIEST)] if outliers[0].luck > 0 else []
    lines += [(outliers[-1], _UNLUCKIEST)] if outliers[-1].luck < 0 else []
    return say("An uneven night"), "\n".join(_ranked(player, text) for player, text in lines)


def _ranked(player: Player, text: str) -> str:
    """Return a text about a player's average rank."""
    name, dice = whom(player.user_id, player.character), say_many("{n} die", "{n:,} dice", player.dice)
    low, high = 50 - player.side, 50 + player.side
    return say(text, player=name, rank=player.rank, dice=dice, low=low, high=high)


def _naturals(players: Sequence[Player]) -> list[str]:
    """Return the players who rolled natural 20s, the most first."""
    ranked = sorted((player for player in players if player.highs), key=lambda player: -player.highs)
    counts = first_few(
        [f"{whom(player.user_id, player.character)} {player.highs}" for player in ranked], PLAYERS_SHOWN
    )
    return [say("Natural 20s: {told}", told=counts)] if counts else []


def _player(player: Player) -> str:
    naturals = [
        say_many("{n} natural {face}", "{n} natural {face}s", n, face=face)
        for n, face in ((player.highs, 20), (player.lows, 1))
        if n
    ]
    text = phrase("{player}: {rank:.0f} over {dice} (usual: {low:.0f} to {high:.0f})")
    if player.dice < ENOUGH_DICE:
        text = phrase("{player}: {rank:.0f} over {dice} (too few to tell)")
    return "; ".join(filter(None, (f"· {_ranked(player, text)}", join_with_and(naturals))))


def _best(best: BestRoll) -> str:
    dice, common = code(best.event.roll.dice, 60), everyday_share(float(best.chance))
    player, result = whom(best.event.user_id, best.event.character), best.result
    throw = read_roll(best.event).outcomes[0].throw
    if throw and throw.unit is Unit.MARGIN:
        result = contested(int(result))
    text = "Best roll: {who}, **{result}** on {what}, #{seq:,} ({common} rolls get that far)"
    return say(text, who=player, result=result, what=dice, seq=best.event.seq, common=common)


def _run(run: PlayerStreak) -> str:
    streak, player = run.streak, whom(run.user_id, run.character)
    face, die = code(streak.face, 40), code(run.die, 40)
    text = say("{length} × {face} in a row on {die}", length=streak.length, face=face, die=die)
    evenings = say("{share} evenings of plain dice have one this rare", share=everyday_share(streak.chance))
    whole = "Streak of the night: {player}, {what} ({evenings})"
    return say(whole, player=player, what=text, evenings=evenings)
