"""What is asked of proof mode: new keys, words for the salt, and its end."""

from dataclasses import dataclass, field

from bot.campaign.command import Caller, Needs, Plain
from bot.campaign.proof import KEYS, KeysCommitted, KeysDropped, KeysShown, Round, SaltGiven
from bot.campaign.state import State
from bot.dice.draws import Source
from bot.dice.errors import DiceError, SpecError
from bot.dice.names import clean

SALT_LIMIT = 80


class NotOn(DiceError):
    """Proof mode is not on."""

    def __init__(self) -> None:
        super().__init__("Proof mode is off here. A game master switches it on with `/proof`.")


@dataclass(frozen=True, slots=True)
class CommitKeys(Plain):
    """Begin proof mode with keys that nobody but the bot knows, or go on with new ones."""

    root: str
    """The root over the keys' hashes, as 64 hexadecimal digits."""
    secret: bytes = field(repr=False)
    """What the keys follow from; the writer alone keeps it."""
    source: Source
    """Where the secret came from."""
    host: int | None = None
    """Who hosts the bot, if others are to throw for them."""
    drand: bool = False
    """Whether drand's first round after the commit is to become salt."""
    campaign_id: int | None = None
    """None is the campaign that is played in the caller's channel."""
    follows: int | None = None
    """The number of the commit whose keys are nearly used up; None where somebody switches proof mode on."""
    gm = True

    def needs(self) -> Needs:
        """Return the campaign."""
        return Needs(campaign=self.campaign_id)

    def decide(self, caller: Caller, state: State) -> KeysCommitted:
        """Commit to the keys; DiceError where others are left, or proof mode has ended."""
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
class ShowKeys(Plain):
    """Note the message that showed the root of keys."""

    commit: int
    message: int
    campaign_id: int

    def needs(self) -> Needs:
        """Return the campaign."""
        return Needs(campaign=self.campaign_id)

    def decide(self, caller: Caller, state: State) -> KeysShown:
        """Note it; DiceError where those keys wait for no message."""
        waiting = state.proof.keys if state.proof else ()
        if not any(keys.begun == self.commit and not keys.message for keys in waiting):
            raise DiceError("Those keys are no longer in use.")
        return KeysShown(target=self.commit, message=str(self.message))


@dataclass(frozen=True, slots=True)
class GiveSalt(Plain):
    """Give words of one's own that all later bits depend on."""

    words: str
    """Cleaned when the command is made."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", clean(self.words, SALT_LIMIT))

    def decide(self, caller: Caller, state: State) -> SaltGiven:
        """Give them; SpecError for no words, DiceError without proof mode."""
        if not self.words:
            raise SpecError("Give some words of your own, such as seven ravens.")
        if state.proof is None:
            raise NotOn
        return SaltGiven(salt=self.words)


@dataclass(frozen=True, slots=True)
class GiveRound(Plain):
    """Have all later bits depend on the round of drand that is awaited."""

    campaign_id: int
    drand: Round

    def needs(self) -> Needs:
        """Return the campaign."""
        return Needs(campaign=self.campaign_id)

    def decide(self, caller: Caller, state: State) -> SaltGiven:
        """Give it; DiceError where it is not awaited."""
        if state.proof is None or not state.proof.keys or state.proof.drand != self.drand[0]:
            raise DiceError("Nobody waits for that round of drand any more.")
        return SaltGiven(target=state.proof.begun, drand=self.drand)


@dataclass(frozen=True, slots=True)
class DropKeys(Plain):
    """End proof mode."""

    gm = True

    def decide(self, caller: Caller, state: State) -> KeysDropped:
        """End it; DiceError where it is not on."""
        if state.proof is None:
            raise NotOn
        return KeysDropped()
