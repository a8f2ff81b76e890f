"""Where a roll's chance came from: the same words on every roll, in /entropy and in docs/randomness.md."""

from bot.dice.labels import Label

_NAMES = {
    Label.TRUE: "true-random bits",
    Label.HALF: "half true-random bits",
    Label.LOCAL: "computer-random bits",
    Label.PHYSICAL: "dice thrown by hand",
    None: "",
}


def bits(label: Label | None) -> str:
    """What a roll was made of, "true-random bits"; "" where nothing was drawn or thrown."""
    return _NAMES[label]
