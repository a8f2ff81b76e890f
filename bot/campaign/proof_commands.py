"""Commands of proof mode: commit to keys, publish them, add salt, switch it off."""

from dataclasses import dataclass, field

from bot.campaign.command import Caller, InCampaign, Plain
from bot.campaign.proof import (
    KEYS,
    KeysCommitted,
    KeysDropped,
    KeysShown,
    Round,
    SaltGiven,
    round_after_message,
)
from bot.campaign.state import State
from bot.dice.draws import Source
from bot.dice.errors import DiceError, SpecError
from bot.dice.names import clean

SALT_LIMIT = 80


@dataclass(frozen=True, slots=True)
class CommitKeys(InCampaign, Plain):
    """Switch proof mode on with secret keys, or commit to the next ones."""

    root: str
    """The root over the keys' hashes, as 64 hexadecimal digits."""
    secret: bytes = field(repr=False)
    """The secret the keys are derived from; only the writer stores it."""
    source: Source
    """The source of the secret."""
    host: int | None = None
    """The id of the bot's host, if others press for them."""
    drand: bool = False
    """Whether to use drand's next round as salt."""
    follows: int | None = None
    """The number of the commit to continue; None to switch proof mode on."""
    gm = True

    def decide(self, caller: Caller, state: State) -> KeysCommitted:
        """Commit to the keys; DiceError if unused keys remain, or proof mode was switched off."""
        proof, seq = state.proof, state.seq + 1
        if self.follows is not None and (proof is None or proof.begun != self.follows):
            raise DiceError("Those keys are no longer in use.")
        first = proof.next_first(seq) if proof else seq + 1
        if first is None or (self.follows is None and first > seq + 1):
            raise DiceError("Proof mode is on, and its keys are not used up. Switch it off first.")
        host, drand = self.host, self.drand
        if proof and self.follows is not None:
            host, drand = proof.host, proof.drand is not None
        return KeysCommitted(
            keys=KEYS,
            root=self.root,
            first=first,
            source=self.source,
            second_hand=host is not None,
            drand=drand,
            host=host,
        )


@dataclass(frozen=True, slots=True)
class ShowKeys(InCampaign, Plain):
    """Record the message that published the root of keys."""

    commit: int
    message: int

    def decide(self, caller: Caller, state: State) -> KeysShown:
        """Record it; DiceError if those keys are not in use, or published already."""
        waiting = state.proof.keys if state.proof else ()
        if not any(keys.begun == self.commit and not keys.message for keys in waiting):
            raise DiceError("Those keys are no longer in use.")
        number = round_after_message(self.message) if state.proof and state.proof.drand else None
        return KeysShown(target=self.commit, message=str(self.message), round=number)


def clean_salt(typed: str) -> str:
    """Return a player's words as they become salt; SpecError if there are none."""
    if words := clean(typed, SALT_LIMIT):
        return words
    raise SpecError("Give some words of your own, such as seven ravens.")


@dataclass(frozen=True, slots=True)
class GiveSalt(Plain):
    """Add a player's words as salt of all later bits."""

    words: str
    """The salt, as `clean_salt` returns it."""
    message: int
    """The id of the message that showed it."""

    def decide(self, caller: Caller, state: State) -> SaltGiven:
        """Add them; DiceError if proof mode is off."""
        must_be_on(state.proof)
        return SaltGiven(salt=self.words, message=str(self.message))


@dataclass(frozen=True, slots=True)
class GiveRound(InCampaign, Plain):
    """Add the awaited drand round as salt of all later bits."""

    drand: Round

    def decide(self, caller: Caller, state: State) -> SaltGiven:
        """Add it; DiceError if it is not awaited."""
        if state.proof is None or not state.proof.keys or state.proof.drand != self.drand[0]:
            raise DiceError("Nobody waits for that round of drand any more.")
        return SaltGiven(target=state.proof.begun, drand=self.drand)


@dataclass(frozen=True, slots=True)
class DropKeys(Plain):
    """Switch proof mode off."""

    gm = True

    def decide(self, caller: Caller, state: State) -> KeysDropped:
        """Switch it off; DiceError if it is off already."""
        must_be_on(state.proof)
        return KeysDropped()


def must_be_on(proof: object | None) -> None:
    """Raise DiceError if a campaign's proof mode, or its status, is None."""
    if proof is None:
        raise DiceError("Proof mode is off here. A game master switches it on with `/proof`.")
