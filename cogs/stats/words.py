"""The words of /stats and /session: figures with what is usual, and no verdict on few rolls."""

from collections.abc import Sequence

from bot.campaign.sessions import Session
from bot.stats.discrepancy import ENOUGH_ROLLS
from bot.stats.evenings import EveningSummary, Player, PlayerStreak
from bot.stats.luck import Evenness, Luck, Mean, Streak
from cogs.kit.text import capital, code, mention, plural, share

_UNUSUAL, _RARE = 0.16, 0.025
_FACES_NAMED = 6
PLAYERS_SHOWN = 12
"""A recap names at most so many players."""
RECAP_TITLE = "Everybody's dice this session"


def heading(name: str, session: Session | None) -> str:
    """Return the chart's title."""
    return f"{name}: rolled and expected{', one session' if session else ''}"


def note(luck: Luck) -> str:
    """Return the chart's second line."""
    return f"{plural(luck.rolls, 'roll')}; the grey bars are where 19 of 20 counts lie"


def report(
    name: str,
    luck: Luck,
    streak: Streak | None,
    bits: tuple[int, int],
    *,
    user_id: int | None,
    session: Session | None,
    plainly: bool,
) -> str:
    """Return the whole answer.

    `bits` are the number of true-random rolls and of all rolls; `plainly` says that the rolls are compared
    with plain dice although the roller has a memory.
    """
    whose = mention(user_id) if user_id is not None else "Everybody"
    when = f", session from <t:{int(session.began)}:f>" if session else ""
    when += f", without the removed rolls up to #{session.cut:,}" if session and session.cut else ""
    lines = [f"{whose} · {code(name)} · {plural(luck.rolls, 'roll')}{when}"]
    if not luck.enough:
        lines.append(f"Too few rolls to say anything: from {ENOUGH_ROLLS} on I tell what is usual.")
        return "\n".join([*lines, _bits(*bits)])
    lines.append(_inside(luck))
    if luck.mean:
        lines += [_mean(luck.mean), _night(luck.mean)]
    if luck.evenness:
        lines.append(_evenness(luck.evenness))
    if plainly:
        lines.append(
            "These are not all the rolls that one memory holds, so they are compared with plain dice."
        )
    if streak and streak.length > 1:
        lines.append(_streak(streak))
    return "\n".join([*lines, _bits(*bits)])


def luck_alt(title: str, luck: Luck) -> str:
    """Return the chart's description, in at most 1,000 characters."""
    faces = zip(luck.faces, luck.counts, luck.bands, strict=True)
    told = "; ".join(f"{face}: {count}, usually {band.low} to {band.high}" for face, count, band in faces)
    return f"{title}: how often each face came up. {told}."[:1_000]


def started(number: int) -> str:
    """Return the message that begins a session."""
    return f"A session begins at #{number}. `/session end` ends it, with a look back on everybody's dice."


def recap(session: Session, evening: EveningSummary) -> str:
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


def ranks_alt(names: Sequence[str], players: Sequence[Player]) -> str:
    """Return the chart's description, in at most 1,000 characters."""
    ranks = "; ".join(
        f"{name} {player.rank:.0f} (usual 50 ± {player.side:.0f})"
        for name, player in zip(names, players, strict=True)
    )
    return f"{RECAP_TITLE}: average rank of each player's dice. {ranks}."[:1_000]


def _inside(luck: Luck) -> str:
    outside = [
        f"{face} ({count}, usually {band.low} to {band.high})"
        for face, count, band in zip(luck.faces, luck.counts, luck.bands, strict=True)
        if not band.low <= count <= band.high
    ]
    of = plural(len(luck.faces), "face")
    if not outside:
        return f"All {of} came up as often as is usual." if len(luck.faces) > 1 else "It has one face."
    named = ", ".join(code(face, 60) for face in outside[:_FACES_NAMED])
    more = f" and {len(outside) - _FACES_NAMED} more" if len(outside) > _FACES_NAMED else ""
    return f"{luck.inside} of {of} came up as often as is usual; about 19 of 20 do. Not so: {named}{more}."


def _mean(mean: Mean) -> str:
    usual = f"19 of 20 stretches this long lie between {mean.low:.2f} and {mean.high:.2f}"
    return f"Mean **{float(mean.value):.2f}**, expected {float(mean.expected):.2f}; {usual}."


def _night(mean: Mean) -> str:
    """Return whether it was a bad night."""
    low = mean.value < mean.expected
    tail = mean.at_most if low else 1 - mean.at_most
    way = "low" if low else "high"
    if tail >= _UNUSUAL:
        return "An ordinary stretch: fair dice do that all the time."
    common = f"{share(tail)} stretches of fair dice come out as {way}"
    if tail >= _RARE:
        return f"{'Unlucky' if low else 'Lucky'}, as one is now and then: {common}."
    night = "Yes, a bad stretch" if low else "A very good stretch"
    return f"{night}: {common}. The next roll knows nothing of it."


def _evenness(evenness: Evenness) -> str:
    usual = evenness.usual
    return (
        f"Counts are evened out on purpose. The face furthest from its share is off by "
        f"{float(evenness.worst):.1f} rolls; usual are {usual.worst:.1f}, and 19 of 20 evenings stay "
        f"within {usual.worst_high:.1f}."
    )


def _streak(streak: Streak) -> str:
    common = f"{capital(share(streak.chance))} stretches of {plural(streak.rolls, 'roll')}"
    longest = f"Longest streak: {code(streak.face, 40)}, {streak.length} times"
    return f"{longest}. {common} of plain dice have one as long."


def _bits(true: int, rolls: int) -> str:
    left_out = "Hidden and undone rolls are left out."
    return f"-# {true:,} of {plural(rolls, 'roll')} had true-random bits throughout. {left_out}"


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
