"""Score a rule of one's own for a d100: its exact law, the dice it takes, and the values that never come up.

    20d6-20 mod 100                                 dice as in the notation; each mention is other dice
    if a<=3 then b else b+50                        a letter is one die, the same at each mention
    20*(d6rr6-1) + 4*(d6rr6-1) + d6rr>4             a die that is thrown again on its own
    36*(a-1)+6*(b-1)+c; reroll if total>200         all dice again
    a+b; reroll if a=b at most 3 times, then 51     so often and no more

Numbers count modulo n, and 0 is n. Dice in a branch that is not taken are not thrown. Letters with several
mentions are enumerated, all other dice are combined by their laws, and the work is counted.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import gcd
from typing import TypeAlias

from bot.d100.conversion import check
from bot.d100.scores import Figures
from bot.dice import notation
from bot.dice.die_distribution import Budget
from bot.dice.distribution import distribution
from bot.dice.errors import SpecError
from bot.dice.expressions import dice_in

TEXT_LIMIT = 200
_DEPTH = 20
_WORK = 200_000
"""One or two seconds."""
_BITS = 6_000
"""How long a weight may get by repeating, so that a score can still be written as a fraction."""
_TOKEN = re.compile(
    r"\d*+d\d++(?:r[or](?:[<>]=?)?\d++)?(?:[kd][hl]\d++)?|\d++|[a-z]++|//|<=|>=|!=|[-+*%<>=()]|\S", re.ASCII
)
_LIMIT = re.compile(r"(\d{1,9}) times?,? then (\d{1,9})", re.ASCII)
_Apply: TypeAlias = Callable[[int, int], int]
_LEVELS: tuple[Mapping[str, _Apply], ...] = (
    {"mod": int.__mod__},
    {"or": lambda a, b: bool(a or b)},
    {"and": lambda a, b: bool(a and b)},
    {"<": int.__lt__, ">": int.__gt__, "<=": int.__le__, ">=": int.__ge__, "=": int.__eq__, "!=": int.__ne__},
    {"+": int.__add__, "-": int.__sub__},
    {"*": int.__mul__, "//": int.__floordiv__, "%": int.__mod__},
)
"""What operators do; each level holds its parts more tightly than those before it."""
_OPERATORS = {sign: (level, apply) for level, signs in enumerate(_LEVELS) for sign, apply in signs.items()}
_DIVIDE = {"mod", "//", "%"}
_TOTAL = "total"

_Law: TypeAlias = dict[tuple[int, frozenset[str]], int]
"""The weight of each number together with the dice that were thrown for it."""
_Node: TypeAlias = Callable[[Mapping[str, int]], _Law]
"""Return the law of a part, given the faces of the letters with several mentions."""


@dataclass(frozen=True, slots=True)
class _Source:
    """Dice of a rule: their law, and the throws that they take on average and at most."""

    law: Mapping[int, int]
    mean: Fraction
    most: float


def score_rule(text: str, sides: int = 6, values: int = 100) -> Figures:
    """Return the exact figures of a rule for n values out of dice.

    SpecError for a rule that can't be read, may throw for ever, or takes too long to work out.
    """
    check((sides,), values)
    if len(text) > TEXT_LIMIT or not text.isascii():
        raise SpecError(
            "A rule has at most {most} characters, all of them plain ones as in a+b*2.", most=TEXT_LIMIT
        )
    first, _, again = text.casefold().partition("reroll if")
    if _TOTAL in first:
        raise SpecError("You can use the total only after 'reroll if'.")
    rule = _Rule(sides)
    body = rule.read(first.strip(" ;,"))
    condition, _, limit = again.partition("at most")
    when = rule.read(condition.strip(" ,")) if again else _fixed(0)
    if not rule.sources:
        raise SpecError("There are no dice in that rule. Write it like 20d6-20 mod 100, or a+b.")
    law, repeated, thrown, most = Counter[int](), 0, Fraction(0), 0.0
    for value, again_too, weight, sources in rule.ways(body, when):
        thrown += weight * sum((source.mean for source in sources), Fraction(0))
        most = max(most, sum(source.most for source in sources))
        repeated += weight if again_too else 0
        law[value % values] += 0 if again_too else weight
    weights, whole = [law[value] for value in range(values)], law.total() + repeated
    limited = _LIMIT.fullmatch(limit.strip())
    throws = int(limited[1]) + 1 if limited else 1
    if limit and limited is None:
        raise SpecError("Write how often, and what counts then: at most 3 times, then 51.")
    if throws * whole.bit_length() > _BITS:
        raise SpecError("That takes too long to work out exactly. Take fewer dice, or fewer times.")
    if limited:
        often = sum(repeated**n * whole ** (throws - 1 - n) for n in range(throws))
        weights = [weight * often for weight in weights]
        weights[int(limited[2]) % values] += repeated**throws
        tries, most = Fraction(often, whole ** (throws - 1)), most * throws
    elif repeated == whole:
        raise SpecError("That rule throws again for ever.")
    else:
        tries, most = Fraction(whole, whole - repeated), float("inf") if repeated else most
    shared = gcd(*weights)
    weights = tuple(weight // shared for weight in weights)
    return Figures(weights, thrown / whole * tries, None if most == float("inf") else int(most))


class _Rule:
    """Read the parts of a rule; `sources` are its dice by their names."""

    def __init__(self, sides: int) -> None:
        self._sides, self._budget, self._depth = sides, Budget(_WORK), 0
        self._letters = Counter[str]()
        self._tokens: list[str] = []
        self.sources: dict[str, _Source] = {}

    def read(self, text: str) -> _Node:
        """Read one part to its end."""
        self._tokens = _TOKEN.findall(text)
        node = self._part()
        self._must("")
        return node

    def ways(self, body: _Node, when: _Node) -> Iterator[tuple[int, int, int, list[_Source]]]:
        """Yield each number, whether it is thrown again, its weight, and the dice that were thrown."""
        shared = sorted(letter for letter, mentions in self._letters.items() if mentions > 1)
        for faces in product(range(1, self._sides + 1), repeat=len(shared)):
            known = dict(zip(shared, faces, strict=True))
            for (number, thrown), weight in body(known).items():
                for (again, more), chance in when({**known, _TOTAL: number}).items():
                    yield number, again, weight * chance, [self.sources[name] for name in thrown | more]

    def _part(self, least: int = 0) -> _Node:
        """Read a part with all operators of at least this level."""
        self._depth += 1
        if self._depth > _DEPTH:
            raise SpecError("A rule has at most {depth} brackets inside one another.", depth=_DEPTH)
        node = self._one()
        while self._tokens and _OPERATORS.get(sign := self._tokens[0], (-1,))[0] >= least:
            node = self._both(sign, node, self._part(_OPERATORS[self._tokens.pop(0)][0] + 1))
        self._depth -= 1
        return node

    def _one(self) -> _Node:
        word = self._tokens.pop(0) if self._tokens else ""
        if word == "if":
            parts = [self._part()]
            for word in ("then", "else"):
                self._must(word)
                parts.append(self._part())
            return self._either(*parts)
        if word == "(":
            inner, _ = self._part(), self._must(")")
            return inner
        if word == "-":
            return self._both("-", _fixed(0), self._part(len(_LEVELS) - 1))
        if word.isdecimal():
            return _fixed(int(word))
        if word == _TOTAL:
            return lambda faces: {(faces[_TOTAL], frozenset()): 1}
        if len(word) == 1 and word.isalpha():
            self._letters[word] += 1
            self.sources[word] = _Source(dict.fromkeys(range(1, self._sides + 1), 1), Fraction(1), 1)
        elif word[-1:].isdecimal():
            word, dice = f"{len(self.sources)} {word}", word
            self.sources[word] = _source(dice)
        else:
            raise _unread(word)
        law: _Law = {(face, frozenset({word})): weight for face, weight in self.sources[word].law.items()}
        return lambda faces: {(faces[word], frozenset({word})): 1} if word in faces else law

    def _must(self, word: str) -> None:
        found = self._tokens.pop(0) if self._tokens else ""
        if found != word:
            raise (
                SpecError("In that rule {word} comes before {found}.", word=word, found=found)
                if word and found
                else _unread(found)
            )

    def _both(self, sign: str, left: _Node, right: _Node) -> _Node:
        apply = _OPERATORS[sign][1]

        def node(faces: Mapping[str, int]) -> _Law:
            one, other, found = left(faces), right(faces), Counter[tuple[int, frozenset[str]]]()
            self._budget.spend(len(one) * len(other))
            for ((a, thrown), weight), ((b, more), chance) in product(one.items(), other.items()):
                if sign in _DIVIDE and not b:
                    raise SpecError("That rule may divide by zero.")
                found[int(apply(a, b)), thrown | more] += weight * chance
            return found

        return node

    def _either(self, test: _Node, yes: _Node, no: _Node) -> _Node:
        def node(faces: Mapping[str, int]) -> _Law:
            branches, found = (no(faces), yes(faces)), Counter[tuple[int, frozenset[str]]]()
            wholes = [sum(branch.values()) for branch in branches]
            asked = test(faces)
            self._budget.spend(len(asked) * max(map(len, branches)))
            for (a, thrown), weight in asked.items():
                for (b, more), chance in branches[bool(a)].items():
                    found[b, thrown | more] += weight * chance * wholes[not a]
            return found

        return node


def _fixed(number: int) -> _Node:
    return lambda _: {(number, frozenset()): 1}


def _source(text: str) -> _Source:
    """Read dice in the notation, and count the throws that they take."""
    expression = notation.parse(text)
    mean, most = Fraction(0), 0.0
    for term in dice_in(expression.body):
        again = Fraction(term.number_in(term.reroll.faces), term.sides) if term.reroll else Fraction(0)
        once = term.reroll is None or term.reroll.times == 1
        mean += term.count * (1 + again if once else 1 / (1 - again))
        most += term.count * (1 if not again else 2 if once else float("inf"))
    return _Source(distribution(expression), mean, most)


def _unread(word: str) -> SpecError:
    """Return what is wrong with a rule that goes on with a word, or ends, where neither may be."""
    return (
        SpecError("I can't read {word!r} in that rule.", word=word)
        if word
        else SpecError("That rule breaks off.")
    )
