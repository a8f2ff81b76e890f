"""Texts of /verify: whether a history is intact, and the findings."""

from collections.abc import Sequence

from bot.campaign.events import Event
from bot.record.checkpoint import ConsistencyProof
from bot.record.findings import Broken, Spans
from bot.record.key_audit import DRAND, KeyFindings, Unkeyed
from bot.services.verifying import CheckedHistory
from bot.words.saying import read_table, refusal, say, say_many
from bot.words.text import and_more, code, cut, first_few, mention, put_back

_TEXTS = read_table(__file__, "texts")["verdicts"]
_KEYS, _NOTES, _FEW = 5, 3, 5
"""Most lines of keys and of notes, and most people or rolls in a line."""


def holds(checked: CheckedHistory) -> str:
    """Return the verdict that a database agrees with its tree, and the checkpoint to keep."""
    size, first = checked.checkpoint.size, checked.first
    extent = say_many("The one entry checks out.", "All {n:,} entries check out.", size)
    if first > 1:
        extent = say("All entries from #{first:,} on check out.", first=first)
    replayed = say_many("I replayed 1 roll.", "I replayed {n:,} rolls.", checked.findings.remade)
    notes = [put_back(event) for event in checked.findings.restored[-3:]]
    notes += [*_keys(checked.keys)[:_KEYS], *map(refusal, checked.findings.notes[:_NOTES])]
    text = "\n".join((f"{extent} {replayed}", *notes))
    return f"{text}\n```\n{checked.checkpoint.text}```{say(_TEXTS['paste'])}\n-# {say(_TEXTS['limits'])}"


def goes_on(link: ConsistencyProof) -> str:
    """Return the verdict that a history extends a checkpoint, with the newer checkpoint."""
    text = say(_TEXTS["goes-on"], number=link.old)
    return f"{text}\n```\n{link.checkpoint.text}```{say(_TEXTS['paste'])}"


def broken(error: Broken, restores: Sequence[Event], *, typed: bool = False) -> str:
    """Return the verdict that a database disagrees with its tree, or with a `typed` checkpoint."""
    text = say("**This campaign does not hold.** {reason}", reason=cut(refusal(error), 300))
    slips = [say(_TEXTS["slip"])] if typed else []
    return "\n".join([text, *slips, *map(put_back, restores)])


def _keys(findings: KeyFindings) -> list[str]:
    """Return lines on rolls that follow from their keys and on the others; [] without proof mode."""
    lines: list[str] = []
    if findings.ever or findings.unkeyed.keys() - {Unkeyed.THROWN}:
        singular = "Proof mode: {n} roll follows from its key."
        plural = "Proof mode: {n:,} rolls follow from their keys."
        lines.append(say_many(singular, plural, findings.followed))
    lines += [_unkeyed(findings, why, findings.unkeyed[why]) for why in Unkeyed if why in findings.unkeyed]
    compare = "Compare message {message} in the channel."
    lines += [say(compare, message=str(link)) for link in findings.messages]
    if more := findings.messages.more:
        lines.append(say_many("And {n} more message.", "And {n:,} more messages.", more))
    late = "#{number} is a salt that may have been chosen late, so it proves nothing."
    lines += [say(late, number=seq) for seq in findings.late]
    signed = "Check that drand signed round {number:,}: {command}"
    for number, signature in findings.rounds:
        lines.append(say(signed, number=number, command=code(DRAND.format(number, signature))))
    compare = "Compare message {message} in the channel, with words."
    return lines + [say(compare, message=str(link)) for link in findings.spoken]


def _unkeyed(findings: KeyFindings, why: Unkeyed, rolls: Spans) -> str:
    """Return the line on rolls that do not follow from a key for the reason `why`."""
    people = [f"{mention(user_id)} {n}" for user_id, n in findings.people.items()]
    match why:
        case Unkeyed.EARLY:
            singular = "{n} roll came before the message that shows the keys: {rolls}."
            plural = "{n:,} rolls came before the message that shows the keys: {rolls}."
        case Unkeyed.OFF:
            singular = "{n} roll came while no keys were active: {rolls}."
            plural = "{n:,} rolls came while no keys were active: {rolls}."
        case Unkeyed.THROWN:
            singular = "{n} roll was typed in ({people}): {rolls}."
            plural = "{n:,} rolls were typed in ({people}): {rolls}."
        case _:
            # A database has all events, so missing ones were cut by retention.
            singular = "{n} roll can't be followed, for older entries were removed: {rolls}."
            plural = "{n:,} rolls can't be followed, for older entries were removed: {rolls}."
    return say_many(singular, plural, rolls.count, people=first_few(people, _FEW), rolls=_few(rolls))


def _few(rolls: Spans) -> str:
    """Return the first spans of numbers, and the count of rolls in the others."""
    ends = rolls.spans[:_FEW]
    texts = [
        f"#{first}" if first == last else say("{first} to {last}", first=f"#{first}", last=f"#{last}")
        for first, last in ends
    ]
    more = rolls.count - sum(last - first + 1 for first, last in ends)
    return and_more(", ".join(texts), more)
