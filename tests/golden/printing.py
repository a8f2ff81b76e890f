"""Dice and memories as text."""

from bot.dice.system import Memory
from bot.dice.throws import Die, Pool, Throw


def shown(throw: Throw) -> str:
    """Return the dice as text: a dropped one in <>, a rerolled face before >, a success with *.

    What is said about them in words is left out, for words may change.
    """
    return f"{''.join(_pool(p) if isinstance(p, Pool) else _text(p) for p in throw.parts)} = {throw.total}"


def _pool(pool: Pool) -> str:
    return f"{pool.term}{f'[{pool.tag}]' if pool.tag else ''}({' '.join(map(_die, pool.dice))})"


def _text(part: str) -> str:
    return " … " if any(sign.isalpha() for sign in part) else part


def _die(die: Die) -> str:
    text = "+".join(f"{f.value}{'>' * f.rerolled}{'*' * f.success}" for f in die.faces).replace(">+", ">")
    return text if die.kept else f"<{text}>"


def numbers(memory: Memory) -> str:
    """Return the numbers of a memory."""
    return " ".join(map(str, memory)) or "nothing"
