"""The words of /proof: what was committed to, and what is left of it."""

import tomllib
from pathlib import Path

from bot.campaign.events import Event
from bot.campaign.proof import KEYS, KeysCommitted, SaltGiven, round_after
from bot.services.proving import ProofStatus
from bot.words.cards import Card, CardButton, Tone, text_card
from bot.words.rolls import noted
from bot.words.saying import phrase, say, say_many
from bot.words.text import bits, code, footnote, mention

HELP: list[str] = tomllib.loads((Path(__file__).parent / "help.toml").read_text("utf-8"))["help"]
"""What proof mode is, and what a host can still do, line by line."""
OFF = phrase(
    "**Proof mode is off.** It lets anybody check that a roll follows from a key bound before the press. "
    "Game masters switch it on."
)
_HOW = phrase(
    "Each roll's bits follow from its number's key, Discord's id of the press and the salt. Whoever may see "
    "the roll can check that. `/proof` takes words of your own, and lists what a host can still do."
)


def begins(user_id: int, root: str, host: int | None, event: Event | None = None) -> str:
    """Return what binds the keys, and once it is written down, from which number on it is in force."""
    more = [say("Others throw for {player}, who hosts the bot.", player=mention(host))] if host else []
    if event and isinstance(event.body, KeysCommitted) and event.body.drand:
        number = round_after(event.milliseconds)
        told = "Round {number:,} of drand becomes salt; rolls don't wait for it."
        more.append(say(told, number=number))
    return _bound(say("{player} switches proof mode on.", player=mention(user_id)), root, event, *more)


def renews(root: str, event: Event | None = None) -> str:
    """Return the same for keys that follow others."""
    told = say("Proof mode goes on with new keys, before the old ones are used up.")
    return _bound(told, root, event)


def help_text() -> str:
    """Return what proof mode is, and what a host can still do."""
    return "\n".join(map(say, HELP))


def failed() -> str:
    """Return that nothing came of it."""
    return say("Proof mode: these keys were dropped. No roll uses them.")


def dropped(event: Event) -> str:
    """Return the end of proof mode."""
    return noted("{player} switches proof mode off. The keys that are left are never used.", event)


def salted(event: Event, words: str) -> str:
    """Return a player's words."""
    told = "{player} gives salt: {words}. It counts for presses from now on that have a key."
    return noted(told, event, words=code(words))


def came(event: Event) -> str:
    """Return that a round of drand has become salt."""
    told = (
        "Proof mode: round {number:,} of drand is salt now. It is the first after the keys, and counts for "
        "presses after it. I did not check that drand signed it: `verify` says how."
    )
    drand = isinstance(event.body, SaltGiven) and event.body.drand
    return noted(told, event, number=drand[0] if drand else 0)


def status(found: ProofStatus | None, campaign_id: int, *, leads: bool) -> Card:
    """Return how proof mode stands, and what the reader can do about it; None is off."""
    on, left = found is not None, found is not None and found.proof.keys_left(found.seq)
    shown = (("proof-salt", on), ("proof-on", leads and not left), ("proof-off", leads and on))
    buttons = [CardButton(name, (campaign_id,)) for name, fits in shown if fits]
    return text_card(_status(found), *buttons, CardButton("proof-help"), tone=Tone.QUIET)


def _status(found: ProofStatus | None) -> str:
    if found is None:
        return say(OFF)
    left = found.proof.keys_left(found.seq)
    lines = [say("Proof mode is on; its newest keys are those of #{number:,}.", number=found.proof.begun)]
    if left:
        one, many = (
            "{n} key of {all:,} left; new ones follow before they are used up.",
            "{n:,} keys of {all:,} left; new ones follow before they are used up.",
        )
        lines.append(say_many(one, many, left, all=KEYS))
    else:
        told = "**Its keys are used up**, so rolls are plain now. Switch it on again for new ones."
        lines.append(say(told))
    if found.commit:
        told, source = "The root that binds them:", ""
        if found.commit.source:
            told, source = "The root that binds them, made from {source}:", bits(found.commit.source)
        lines.append(f"{say(told, source=source)}\n```\n{found.commit.root}\n```")
    told = "Salt: {words}" if found.salt else "Salt: nobody gave words yet."
    lines.append(say(told, words=code(found.salt)))
    if found.proof.drand:
        told = say(
            "**Round {number:,} of drand has not come.** Without it nothing shows that the host did not try "
            "other keys first; all else holds, and rolls don't wait. The bot asks for ten minutes; after "
            "that, new keys ask again.",
            number=found.proof.drand,
        )
        lines.append(told)
    elif found.proof.drand == 0:
        told = "The first round of drand after the keys is in the salt; its signature is yours to check."
        lines.append(say(told))
    if found.proof.host:
        lines.append(say("Others throw for {player}.", player=mention(found.proof.host)))
    return "\n".join(lines)


def _bound(heading: str, root: str, event: Event | None, *more: str) -> str:
    told = say(
        "The bot made {keys:,} secret keys, one for each of the next numbers. They count for presses after "
        "this message, and this root binds them:",
        keys=KEYS,
    )
    foot = f"-# {say('Not active yet.')}"
    if event:
        foot = f"{footnote(event)} · {say('active for the rolls after it')}"
    lines = [f"**{heading}**", told, f"```\n{root}\n```{say(_HOW)}", *more, foot]
    return "\n".join(lines)
