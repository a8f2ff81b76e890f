"""Texts and cards of /proof, its keys and salt, and of /verify: whether a history is intact."""

from collections.abc import Sequence

from bot.campaign.events import Event
from bot.campaign.proof import KEYS, KeysCommitted, SaltGiven, round_after_message
from bot.record.checkpoint import Checkpoint, ConsistencyProof
from bot.record.findings import Broken, Spans
from bot.record.key_audit import DRAND, KeyFindings, Unkeyed
from bot.services.proving import ProofStatus
from bot.services.verifying import CheckedHistory
from bot.words.cards import Card, CardButton, Tone, text_card
from bot.words.rolls import event_line
from bot.words.saying import join_with_and, read_table, refusal, say, say_many
from bot.words.text import and_more, bits, code, cut, first_few, footnote, mention, put_back

HELP: list[str] = read_table(__file__, "help")["help"]
"""Lines of the help: what proof mode proves, and what a host can still do."""
_TEXTS = read_table(__file__, "texts")
OFF, _VERDICTS = _TEXTS["status"]["off"], _TEXTS["verdicts"]
_MOST_KEYS, _NOTES, _FEW = 5, 3, 5
"""Most lines of keys and of notes in a verdict, and most people or rolls in a line."""


def begins(user_id: int, root: str, host: int | None) -> str:
    """Return the public commitment to the first keys."""
    more = [say("Others throw for {player}, who hosts the bot.", player=mention(host))] if host else []
    return _bound(say("{player} switches proof mode on.", player=mention(user_id)), root, *more)


def active(event: Event, message: int) -> str:
    """Return the notice that the keys of a commit are in use; `message` is the one that bound them.

    It is a message of its own: that one is never edited, or nobody could tell which root it showed at first.
    """
    lines: list[str] = []
    if isinstance(event.body, KeysCommitted) and event.body.drand:
        template = "Round {number:,} of drand becomes salt; rolls don't wait for it."
        lines.append(say(template, number=round_after_message(message)))
    return "\n".join([*lines, f"{footnote(event)} · {say('these keys are active for the rolls after it')}"])


def lacking(permissions: Sequence[str]) -> str:
    """Return the private warning that the bot can't post the keys that follow."""
    return say(_TEXTS["keys"]["lacking"], permissions=join_with_and(permissions))


def renews(root: str) -> str:
    """Return the public commitment to keys that succeed others."""
    return _bound(say("Proof mode goes on with new keys, before the old ones are used up."), root)


def failed() -> str:
    """Return the notice that a commitment was dropped."""
    return say("Proof mode: these keys were dropped. No roll uses them.")


def dropped(event: Event) -> str:
    """Return the notice that proof mode ended."""
    return event_line("{player} switches proof mode off. The keys that are left are never used.", event)


def salts(user_id: int, words: str) -> str:
    """Return the public message with a player's salt, which is in it before it counts."""
    return say(_TEXTS["keys"]["salts"], player=mention(user_id), words=code(words))


def unsalted() -> str:
    """Return the notice that salt was dropped."""
    return say("Proof mode: this salt was dropped. No roll depends on it.")


def drand_arrived(event: Event) -> str:
    """Return the notice that a round of drand has become salt."""
    drand = isinstance(event.body, SaltGiven) and event.body.drand
    return event_line(_TEXTS["keys"]["drand"], event, number=drand[0] if drand else 0)


def status(state: ProofStatus | None, campaign_id: int, *, leads: bool) -> Card:
    """Return the state of proof mode (None is off), with the reader's buttons."""
    on, keys_left = state is not None, state is not None and state.proof.keys_left(state.seq)
    offers = (("proof-salt", on), ("proof-on", leads and not keys_left), ("proof-off", leads and on))
    buttons = [CardButton(name, (campaign_id,)) for name, fits in offers if fits]
    return text_card(_status(state), *buttons, CardButton("proof-help"), tone=Tone.QUIET)


def _status(state: ProofStatus | None) -> str:
    if state is None:
        return say(OFF)
    texts, proof, keys_left = _TEXTS["status"], state.proof, state.proof.keys_left(state.seq)
    lines = [say("Proof mode is on; its newest keys are those of #{number:,}.", number=proof.begun)]
    if keys_left:
        singular = "{n} key of {all:,} left; new ones follow before they are used up."
        plural = "{n:,} keys of {all:,} left; new ones follow before they are used up."
        lines.append(say_many(singular, plural, keys_left, all=KEYS))
    else:
        lines.append(say(texts["used-up"]))
    if state.commit:
        root = say(texts["root-drawn" if state.commit.source else "root"], source=bits(state.commit.source))
        lines.append(f"{root}\n```\n{state.commit.root}\n```")
    template = "Salt: {words}" if state.salt else "Salt: nobody gave words yet."
    lines.append(say(template, words=code(state.salt)))
    if proof.drand is not None:
        lines.append(say(texts["drand-awaited" if proof.drand else "drand-came"], number=proof.drand))
    if proof.host:
        lines.append(say("Others throw for {player}.", player=mention(proof.host)))
    return "\n".join(lines)


def _bound(heading: str, root: str, *more: str) -> str:
    text = say(_TEXTS["keys"]["bound"], keys=KEYS)
    foot = f"-# {say('I never edit this message; the next one says whether its keys are active.')}"
    return "\n".join([f"**{heading}**", text, f"```\n{root}\n```{say(_TEXTS['keys']['how'])}", *more, foot])


def holds(checked: CheckedHistory) -> str:
    """Return the verdict that a database agrees with its tree, and the checkpoint to keep."""
    size, first = checked.checkpoint.size, checked.first
    extent = say_many("The one entry checks out.", "All {n:,} entries check out.", size)
    if first > 1:
        extent = say("All entries from #{first:,} on check out.", first=first)
    replayed = say_many("I replayed 1 roll.", "I replayed {n:,} rolls.", checked.findings.remade)
    notes = [put_back(event) for event in checked.findings.restored[-3:]]
    notes += [*_keys(checked.keys)[:_MOST_KEYS], *map(refusal, checked.findings.notes[:_NOTES])]
    text = _to_keep("\n".join((f"{extent} {replayed}", *notes)), checked.checkpoint)
    return f"{text}\n-# {say(_VERDICTS['limits'])}"


def goes_on(link: ConsistencyProof) -> str:
    """Return the verdict that a history extends a checkpoint, with the newer checkpoint."""
    return _to_keep(say(_VERDICTS["goes-on"], number=link.old), link.checkpoint)


def _to_keep(verdict: str, checkpoint: Checkpoint) -> str:
    return f"{verdict}\n```\n{checkpoint.text}```{say(_VERDICTS['paste'])}"


def broken(error: Broken, restores: Sequence[Event], *, typed: bool = False) -> str:
    """Return the verdict that a database disagrees with its tree, or with a `typed` checkpoint."""
    text = say("**This campaign does not hold.** {reason}", reason=cut(refusal(error), 300))
    slips = [say(_VERDICTS["slip"])] if typed else []
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
