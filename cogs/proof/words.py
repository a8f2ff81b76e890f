"""Texts and cards of /proof: commitments, salt, and the state of proof mode."""

from collections.abc import Sequence

from bot.campaign.events import Event
from bot.campaign.proof import KEYS, KeysCommitted, SaltGiven, round_after_message
from bot.services.proving import ProofStatus
from bot.words.cards import Card, CardButton, Tone, text_card
from bot.words.rolls import event_line
from bot.words.saying import join_with_and, read_table, say, say_many
from bot.words.text import bits, code, footnote, mention

HELP: list[str] = read_table(__file__, "help")["help"]
"""Lines of the help: what proof mode proves, and what a host can still do."""
_TEXTS = read_table(__file__, "texts")
OFF = _TEXTS["status"]["off"]


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
