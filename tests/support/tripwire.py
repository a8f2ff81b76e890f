"""Record every parser that runs while a command is decided: grammars, dialects, words, patterns."""

import re
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from bot.campaign.command import Caller, Command
from bot.campaign.events import Body
from bot.campaign.state import State
from bot.dice.draws import SourcedDraws
from bot.storage import batch

READERS = (
    *("dice/notation.py", "dice/grammar.py", "dice/dialects/", "dice/advantage.py", "site-packages/lark/"),
    *("rulebooks/words.py", "rulebooks/book.py", "systems/typed.py", "d100/physical.py"),
)
"""Files whose functions parse text."""
EXEMPT = {
    "recorded_dice": "a call's dice, canonical on record",
    "_parse_recorded": "a call's roll of a game, canonical on record",
    "outcomes": "the law of canonical dice, most often kept in mind",
    "load_spec": "a roller's rule as it is stored",
    "clean": "makes a name safe to show in a sentence: at most ten times 80 signs",
    "twice": "doubles a die of dice that were read",
}
"""Functions of ours below which there is no text of a person's, or only a short look at it."""


@dataclass
class Caught:
    """The parsers that ran while commands were decided."""

    reading: list[str] = field(default_factory=list[str])
    """Each thing that read, with the function of ours that began it."""
    decided: set[str] = field(default_factory=set[str])
    """The names of the commands' classes."""


@contextmanager
def tripwire(patch: pytest.MonkeyPatch) -> Generator[Caught]:
    """Yield the parsers that run while the writer decides commands in the block."""
    caught, decide = Caught(), batch.decide

    def watched(command: Command, caller: Caller, state: State, draws: Callable[[], SourcedDraws]) -> Body:
        caught.decided.add(type(command).__name__)
        before = sys.getprofile()
        sys.setprofile(lambda frame, event, called: _look(caught, command, frame, event, called))
        try:
            return decide(command, caller, state, draws)
        finally:
            sys.setprofile(before)

    with patch.context() as context:
        context.setattr(batch, "decide", watched)
        yield caught


def _look(caught: Caught, command: Command, frame: FrameType, event: str, called: Any) -> None:
    file = Path(frame.f_code.co_filename).as_posix()
    entered = event == "call" and any(reader in file for reader in READERS)
    matched = event == "c_call" and isinstance(getattr(called, "__self__", None), re.Pattern)
    if not entered and not matched:
        return
    names, outer = list[str](), frame
    while outer:
        names.append(outer.f_code.co_name)
        outer = outer.f_back
    if EXEMPT.keys().isdisjoint(names):
        name = called.__self__.pattern if matched else f"{file.rpartition('bot/')[2]}:{names[0]}"
        caught.reading.append(f"{type(command).__name__}: {name} below {' < '.join(names[:5])}")
