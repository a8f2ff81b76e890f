"""Texts and cards of /proof: commitments, salt, and the state of proof mode."""

from collections.abc import Sequence

from bot.campaign.events import Event
from bot.campaign.proof import KEYS, KeysCommitted, SaltGiven, round_after_message
from bot.services.proving import ProofStatus
from bot.words.cards import Card, CardButton, Tone, text_card
from bot.words.rolls import event_line
from bot.words.saying import join_with_and, phrase, read_table, say, say_many
from bot.words.text import bits, code, footnote, mention

HELP: list[str] = read_table(__file__, "help")["help"]
"""Lines of the help: what proof mode proves, and what a host can still do."""
OFF = phrase(
    "**Proof mode is off.** It lets anybody check that a roll follows from a key bound before the press. "
    "Game masters switch it on."
)
_HOW = phrase(
    "Each roll's bits follow from its number's key, Discord's id of the press and the salt. Whoever may see "
    "the roll can check that. `/proof` takes words of your own, and lists what a host can still do."
)


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
    text = (
        "I can't show new keys here unless I get {permissions} in this channel. Without them rolls are "
        "plain once these keys are used up."
    )
    return say(text, permissions=join_with_and(permissions))


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
    template = "{player} gives salt: {words}. It counts for presses after this message that have a key."
    return say(template, player=mention(user_id), words=code(words))


def unsalted() -> str:
    """Return the notice that salt was dropped."""
    return say("Proof mode: this salt was dropped. No roll depends on it.")


def drand_arrived(event: Event) -> str:
    """Return the notice that a round of drand has become salt."""
    template = (
        "Proof mode: round {number:,} of drand is salt now. It is the first after the keys, and counts for "
        "presses after it. I did not check that drand signed it: `verify` says how."
    )
    drand = isinstance(event.body, SaltGiven) and event.body.drand
    return event_line(template, event, number=drand[0] if drand else 0)


def status(state: ProofStatus | None, campaign_id: int, *, leads: bool) -> Card:
    """Return the state of proof mode (None is off), with the reader's buttons."""
    on, keys_left = state is not None, state is not None and state.proof.keys_left(state.seq)
    offers = (("proof-salt", on), ("proof-on", leads and not keys_left), ("proof-off", leads and on))
    buttons = [CardButton(name, (campaign_id,)) for name, fits in offers if fits]
    return text_card(_status(state), *buttons, CardButton("proof-help"), tone=Tone.QUIET)


def _status(state: ProofStatus | None) -> str:
    if state is None:
        return say(OFF)
    keys_left = state.proof.keys_left(state.seq)
    lines = [say("Proof mode is on; its newest keys are those of #{number:,}.", number=state.proof.begun)]
    if keys_left:
        singular = "{n} key of {all:,} left; new ones follow before they are used up."
        plural = "{n:,} keys of {all:,} left; new ones follow before they are used up."
        lines.append(say_many(singular, plural, keys_left, all=KEYS))
    else:
        template = "**Its keys are used up**, so rolls are plain now. Switch it on again for new ones."
        lines.append(say(template))
    if state.commit:
        template, source = "The root that binds them:", ""
        if state.commit.source:
            template, source = "The root that binds them, made from {source}:", bits(state.commit.source)
        lines.append(f"{say(template, source=source)}\n```\n{state.commit.root}\n```")
    template = "Salt: {words}" if state.salt else "Salt: nobody gave words yet."
    lines.append(say(template, words=code(state.salt)))
    if state.proof.drand:
        template = say(
            "**Round {number:,} of drand has not come.** Without it nothing shows that the host did not try "
            "other keys first; all else holds, and rolls don't wait. The bot asks for ten minutes; after "
            "that, new keys ask again.",
            number=state.proof.drand,
        )
        lines.append(template)
    elif state.proof.drand == 0:
        template = "The first round of drand after the keys is in the salt; its signature is yours to check."
        lines.append(say(template))
    if state.proof.host:
        lines.append(say("Others throw for {player}.", player=mention(state.proof.host)))
    return "\n".join(lines)


def _bound(heading: str, root: str, *more: str) -> str:
    text = say(
        "The bot made {keys:,} secret keys, one for each of the next numbers. They count for presses after "
        "this message, and this root binds them:",
        keys=KEYS,
    )
    foot = f"-# {say('I never edit this message; the next one says whether its keys are active.')}"
    return "\n".join([f"**{heading}**", text, f"```\n{root}\n```{say(_HOW)}", *more, foot])
