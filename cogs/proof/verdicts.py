"""The words of /verify: whether a history holds, and what was found in it."""

from collections.abc import Sequence

from bot.campaign.events import Event
from bot.record.checkpoint import ConsistencyProof
from bot.record.findings import Broken, Spans
from bot.record.key_audit import DRAND, KeyFindings, Unkeyed
from bot.services.verifying import Checked
from bot.words.saying import phrase, refusal, say, say_many
from bot.words.text import code, cut, first_few, mention, put_back

_PASTE = phrase("Paste it yourself: what *you* post, the bot can't change.")
_LIMITS = phrase(
    "This is the bot's word about its own database. With the checkpoint in your hands, anyone can hold an "
    "export against it: `evenhand verify`, or tools/verify.py, which shares no code with the bot."
)
_KEYS, _NOTES, _FEW = 5, 3, 5
"""How many lines are shown of what was found, and how many people or rolls in one."""


def holds(found: Checked) -> str:
    """Return a database that agrees with its tree, and the checkpoint to keep."""
    size, first = found.checkpoint.size, found.first
    checked = (
        say("All entries from #{first:,} on check out.", first=first)
        if first > 1
        else say_many("The one entry checks out.", "All {n:,} entries check out.", size)
    )
    replayed = say_many("I replayed 1 roll.", "I replayed {n:,} rolls.", found.findings.remade)
    notes = [put_back(one) for one in found.findings.restored[-3:]]
    notes += [*_keys(found.keys)[:_KEYS], *map(refusal, found.findings.notes[:_NOTES])]
    told = "\n".join((f"{checked} {replayed}", *notes))
    return f"{told}\n```\n{found.checkpoint.text}```{say(_PASTE)}\n-# {say(_LIMITS)}"


def goes_on(link: ConsistencyProof) -> str:
    """Return that a campaign goes on from a checkpoint, with the newer one."""
    told = say(
        "This history goes on from your checkpoint of #{number:,}: nothing up to it was changed. The file "
        "proves it to anybody who has both checkpoints, with `verify`.",
        number=link.old,
    )
    return f"{told}\n```\n{link.checkpoint.text}```{say(_PASTE)}"


def broken(error: Broken, restores: Sequence[Event]) -> str:
    """Return a database that does not agree with its tree or a checkpoint, where, and if it was put back."""
    more = "".join(f"\n{put_back(one)}" for one in restores)
    told = say("**This campaign does not hold.** {reason}", reason=cut(refusal(error), 300))
    return f"{told}{more}"


def _keys(found: KeyFindings) -> list[str]:
    """Return how many rolls follow from their keys, and which do not and why; [] without proof mode."""
    lines: list[str] = []
    if found.ever or found.unkeyed.keys() - {Unkeyed.THROWN}:
        one, many = (
            "Proof mode: {n} roll follows from its key.",
            "Proof mode: {n:,} rolls follow from their keys.",
        )
        lines.append(say_many(one, many, found.followed))
    lines += [_unkeyed(found, why, found.unkeyed[why]) for why in Unkeyed if why in found.unkeyed]
    lines += [say("Compare message {message} in the channel.", message=str(one)) for one in found.messages]
    if more := found.messages.more:
        lines.append(say_many("And {n} more message.", "And {n:,} more messages.", more))
    for number, signature in found.rounds:
        command = code(DRAND.format(number, signature))
        lines.append(
            say("Check that drand signed round {number:,}: {command}", number=number, command=command)
        )
    return lines


def _unkeyed(found: KeyFindings, why: Unkeyed, rolls: Spans) -> str:
    """Return which rolls are not shown to follow from a key."""
    people = [f"{mention(user_id)} {n}" for user_id, n in found.people.items()]
    match why:
        case Unkeyed.EARLY:
            one = "{n} roll came before the message that shows the keys: {rolls}."
            many = "{n:,} rolls came before the message that shows the keys: {rolls}."
        case Unkeyed.OFF:
            one = "{n} roll came while no keys were active: {rolls}."
            many = "{n:,} rolls came while no keys were active: {rolls}."
        case Unkeyed.THROWN:
            one = "{n} roll was typed in ({people}): {rolls}."
            many = "{n:,} rolls were typed in ({people}): {rolls}."
        case _:
            # A database tells all events, so what is missing was cut off.
            one = "{n} roll can't be followed, for older entries were removed: {rolls}."
            many = "{n:,} rolls can't be followed, for older entries were removed: {rolls}."
    return say_many(one, many, rolls.count, people=first_few(people, _FEW), rolls=_few(rolls))


def _few(rolls: Spans) -> str:
    """Return the first spans of numbers, and how many rolls are in the others."""
    ends = rolls.spans[:_FEW]
    texts = [
        f"#{first}" if first == last else say("{first} to {last}", first=f"#{first}", last=f"#{last}")
        for first, last in ends
    ]
    more = rolls.count - sum(last - first + 1 for first, last in ends)
    shown = ", ".join(texts)
    return say_many("{shown} and {n} more", "{shown} and {n:,} more", more, shown=shown) if more else shown
