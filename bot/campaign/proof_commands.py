"""What is asked of proof mode: new keys, words for the salt, and its end."""

from dataclasses import dataclass, field

from bot.campaign.command import Caller, Needs, Plain
from bot.campaign.proof import KEYS, KeysCommitted, KeysDropped, Round, SaltGiven
from bot.campaign.state import State
from bot.dice.draws import Source
from bot.dice.errors import DiceError, SpecError
from bot.dice.names import clean

SALT_LIMIT = 80


class NotOn(DiceError):
    """Proof mode is not on."""

    def __init__(self) -> None:
        super().__init__("Proof mode is not on here. A game master switches it on with /proof on.")


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

    def needs(self) -> Needs:
        """Return the campaign."""
        return Needs(campaign=self.campaign_id)

    def decide(self, caller: Caller, state: State) -> KeysCommitted:
        """Commit to the keys; DiceError where other new keys were faster, or proof mode has ended."""
        begun = state.proof.begun if state.proof else None
        if self.follows not in {None, begun}:
            raise DiceError("Those keys are not in use any more.")
        host, drand = self.host, self.drand
        if state.proof and self.follows:
            host, drand = state.proof.host, state.proof.drand is not None
        hand = host is not None
        return KeysCommitted(
            keys=KEYS, root=self.root, source=self.source, second_hand=hand, drand=drand, host=host
        )


@dataclass(frozen=True, slots=True)
class GiveSalt(Plain):
    """Give words of one's own that all later bits depend on."""

    words: str
    """Cleaned when the command is made."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", clean(self.words, SALT_LIMIT))

    def needs(self) -> Needs:
        """Return nothing."""
        return Needs()

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
        if state.proof is None or state.proof.drand != self.drand[0]:
            raise DiceError("That round of drand is not awaited any more.")
        return SaltGiven(drand=self.drand)


@dataclass(frozen=True, slots=True)
class DropKeys(Plain):
    """End proof mode."""

    def needs(self) -> Needs:
        """Return nothing."""
        return Needs()

    def decide(self, caller: Caller, state: State) -> KeysDropped:
        """End it; DiceError where it is not on."""
        if state.proof is None:
            raise NotOn
        return KeysDropped()
