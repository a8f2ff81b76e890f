"""Asking the stand-alone verifier, as a test does it."""

from typing import NamedTuple, Protocol


class Verdict(NamedTuple):
    """What the verifier says."""

    code: int
    words: str


class Verifier(Protocol):
    """The verifier, given files by their content."""

    def __call__(
        self,
        *files: bytes | str,
        checkpoints: tuple[str, ...] = (),
        seals: tuple[str, ...] = (),
        part: bool = False,
    ) -> Verdict:
        """Return the verdict on files, given checkpoints and seals."""
        ...
