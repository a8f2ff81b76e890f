"""The words of /stats: every figure with what is usual, and no verdict on few rolls."""

from bot.campaign.sessions import Session
from bot.stats.discrepancy import ENOUGH_ROLLS
from bot.stats.luck import Evenness, Luck, Mean, Streak
from cogs.kit.text import capital, code, mention, plural, share

_UNUSUAL, _RARE = 0.16, 0.025
_FACES_NAMED = 6


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


def luck_alt(title: str, luck: Luck) -> str:
    """Return the chart's description, in at most 1,000 characters."""
    faces = zip(luck.faces, luck.counts, luck.bands, strict=True)
    told = "; ".join(f"{face}: {count}, usually {band.low} to {band.high}" for face, count, band in faces)
    return f"{title}: how often each face came up. {told}."[:1_000]
