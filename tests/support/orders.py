"""Every sequence that a system can give, with its exact chance."""

from fractions import Fraction

from bot.dice.system import Memory, System


def orders(system: System, length: int, memory: Memory | None = None) -> dict[tuple[int, ...], Fraction]:
    """Return the exact law of the next `length` faces, as indices, from a memory or from the start."""
    law: dict[tuple[tuple[int, ...], Memory], Fraction] = {
        ((), system.start() if memory is None else memory): Fraction(1)
    }
    for _ in range(length):
        after: dict[tuple[tuple[int, ...], Memory], Fraction] = {}
        for (faces, state), chance in law.items():
            weights = system.weights(state)
            for i, weight in enumerate(weights):
                if weight:
                    after[(*faces, i), system.advance(state, i)] = chance * Fraction(weight, sum(weights))
        law = after
    return {faces: chance for (faces, _), chance in law.items()}
