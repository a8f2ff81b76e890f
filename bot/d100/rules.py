"""Score a player's own rule for a d100: its exact law, its number of dice, and the values it never makes.

    20d6-20 mod 100                                 dice in notation; each mention is a new throw
    if a<=3 then b else b+50                        a letter is one die, the same at each mention
    20*(d6rr6-1) + 4*(d6rr6-1) + d6rr>4             a die rerolled on its own
    36*(a-1)+6*(b-1)+c; reroll if total>200         reroll all dice
    a+b; reroll if a=b at most 3 times, then 51     reroll a limited number of times

Numbers count modulo n, and 0 is n. Dice in a branch that is not taken are not thrown. Letters with several
mentions are enumerated, all other dice are combined by their laws, and the work is limited.
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
from bot.d100.ways import Figures
from bot.dice import notation
from bot.dice.die_distribution import Budget
from bot.dice.distribution import distribution
from bot.dice.errors import SpecError
from bot.dice.expressions import dice_in

TEXT_LIMIT = 200
_DEPTH = 20
_WORK = 200_000
"""The most work, one or two seconds."""
_BITS = 6_000
"""The most bits of a weight after repetition, so that a score can still be printed as a fraction."""
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
"""The operators by precedence, lowest first."""
_OPERATORS = {sign: (level, apply) for level, signs in enumerate(_LEVELS) for sign, apply in signs.items()}
_DIVIDE = {"mod", "//", "%"}
_TOTAL = "total"

_Law: TypeAlias = dict[tuple[int, frozenset[str]], int]
"""(Number, names of the dice thrown) to weight."""
_Node: TypeAlias = Callable[[Mapping[str, int]], _Law]
"""A function from the faces of letters with several mentions to the law of an expression."""


@dataclass(frozen=True, slots=True)
class _Source:
    """Dice of a rule: their law, and their mean and greatest numbers of throws."""

    law: Mapping[int, int]
    mean: Fraction
    most: float


def score_rule(text: str, sides: int = 6, values: int = 100) -> Figures:
    """Return the exact figures of a rule that makes n values from dice.

    Raise SpecError for a rule that can't be parsed, never ends, or takes too long to evaluate.
    """
    check((sides,), values)
    if len(text) > TEXT_LIMIT or not text.isascii():
        raise SpecError(
            "A rule has at most {most} characters, all of them plain ones as in a+b*2.", most=TEXT_LIMIT
        )
    first, _, reroll = text.casefold().partition("reroll if")
    if _TOTAL in first:
        raise SpecError("You can use the total only after 'reroll if'.")
    rule = _Rule(sides)
    body = rule.read(first.strip(" ;,"))
    condition, _, limit = reroll.partition("at most")
    when = rule.read(condition.strip(" ,")) if reroll else _fixed(0)
    if not rule.sources:
        raise SpecError("There are no dice in that rule. Write it like 20d6-20 mod 100, or a+b.")
    law, repeated, mean, most = Counter[int](), 0, Fraction(0), 0.0
    for value, is_reroll, weight, sources in rule.ways(body, when):
        mean += weight * sum((source.mean for source in sources), Fraction(0))
        most = max(most, sum(source.most for source in sources))
        repeated += weight if is_reroll else 0
        law[value % values] += 0 if is_reroll else weight
    weights, whole = [law[value] for value in range(values)], law.total() + repeated
    limit_match = _LIMIT.fullmatch(limit.strip())
    throws = int(limit_match[1]) + 1 if limit_match else 1
    if limit and limit_match is None:
        raise SpecError("Write how often, and what counts then: at most 3 times, then 51.")
    if throws * whole.bit_length() > _BITS:
        raise SpecError("That takes too long to work out exactly. Take fewer dice, or fewer times.")
    if limit_match:
        scale = sum(repeated**n * whole ** (throws - 1 - n) for n in range(throws))
        weights = [weight * scale for weight in weights]
        weights[int(limit_match[2]) % values] += repeated**throws
        attempts, most = Fraction(scale, whole ** (throws - 1)), most * throws
    elif repeated == whole:
        raise SpecError("That rule throws again for ever.")
    else:
        attempts, most = Fraction(whole, whole - repeated), float("inf") if repeated else most
    common = gcd(*weights)
    weights = tuple(weight // common for weight in weights)
    return Figures(weights, mean / whole * attempts, None if most == float("inf") else int(most))


class _Rule:
    """Parser of a rule's expressions; `sources` maps names to its dice."""

    def __init__(self, sides: int) -> None:
        self._sides, self._budget, self._depth = sides, Budget(_WORK), 0
        self._letters = Counter[str]()
        self._tokens: list[str] = []
        self.sources: dict[str, _Source] = {}

    def read(self, text: str) -> _Node:
        """Parse one complete expression."""
        self._tokens = _TOKEN.findall(text)
        node = self._parse_expression()
        self._expect("")
        return node

    def ways(self, body: _Node, when: _Node) -> Iterator[tuple[int, int, int, list[_Source]]]:
        """Yield each number, whether it is rerolled, its weight, and the dice thrown for it."""
        repeated = sorted(letter for letter, mentions in self._letters.items() if mentions > 1)
        for faces in product(range(1, self._sides + 1), repeat=len(repeated)):
            letters = dict(zip(repeated, faces, strict=True))
            for (number, thrown), weight in body(letters).items():
                for (is_reroll, more), chance in when({**letters, _TOTAL: number}).items():
                    yield number, is_reroll, weight * chance, [self.sources[name] for name in thrown | more]

    def _parse_expression(self, least: int = 0) -> _Node:
        """Parse an expression of operators with at least this precedence."""
        self._depth += 1
        if self._depth > _DEPTH:
            raise SpecError("A rule has at most {depth} brackets inside one another.", depth=_DEPTH)
        node = self._parse_operand()
        while self._tokens and _OPERATORS.get(sign := self._tokens[0], (-1,))[0] >= least:
            node = self._combine(sign, node, self._parse_expression(_OPERATORS[self._tokens.pop(0)][0] + 1))
        self._depth -= 1
        return node

    def _parse_operand(self) -> _Node:
        word = self._tokens.pop(0) if self._tokens else ""
        if word == "if":
            parts = [self._parse_expression()]
            for word in ("then", "else"):
                self._expect(word)
                parts.append(self._parse_expression())
            return self._choose(*parts)
        if word == "(":
            inner, _ = self._parse_expression(), self._expect(")")
            return inner
        if word == "-":
            return self._combine("-", _fixed(0), self._parse_expression(len(_LEVELS) - 1))
        if word.isdecimal():
            return _fixed(int(word))
        if word == _TOTAL:
            return lambda faces: {(faces[_TOTAL], frozenset()): 1}
        if len(word) == 1 and word.isalpha():
            self._letters[word] += 1
            self.sources[word] = _Source(dict.fromkeys(range(1, self._sides + 1), 1), Fraction(1), 1)
        elif word[-1:].isdecimal():
            word, dice = f"{len(self.sources)} {word}", word
            self.sources[word] = _read_source(dice)
        else:
            raise _unexpected(word)
        law: _Law = {(face, frozenset({word})): weight for face, weight in self.sources[word].law.items()}
        return lambda faces: {(faces[word], frozenset({word})): 1} if word in faces else law

    def _expect(self, word: str) -> None:
        token = self._tokens.pop(0) if self._tokens else ""
        if token != word:
            if word and token:
                raise SpecError("In that rule {word} comes before {found}.", word=word, found=token)
            raise _unexpected(token)

    def _combine(self, sign: str, left: _Node, right: _Node) -> _Node:
        apply = _OPERATORS[sign][1]

        def node(faces: Mapping[str, int]) -> _Law:
            first, second, law = left(faces), right(faces), Counter[tuple[int, frozenset[str]]]()
            self._budget.spend(len(first) * len(second))
            for ((a, thrown), weight), ((b, more), chance) in product(first.items(), second.items()):
                if sign in _DIVIDE and not b:
                    raise SpecError("That rule may divide by zero.")
                law[int(apply(a, b)), thrown | more] += weight * chance
            return law

        return node

    def _choose(self, test: _Node, yes: _Node, no: _Node) -> _Node:
        def node(faces: Mapping[str, int]) -> _Law:
            branches, law = (no(faces), yes(faces)), Counter[tuple[int, frozenset[str]]]()
            wholes = [sum(branch.values()) for branch in branches]
            condition = test(faces)
            self._budget.spend(len(condition) * max(map(len, branches)))
            for (a, thrown), weight in condition.items():
                for (b, more), chance in branches[bool(a)].items():
                    law[b, thrown | more] += weight * chance * wholes[not a]
            return law

        return node


def _fixed(number: int) -> _Node:
    return lambda _: {(number, frozenset()): 1}


def _read_source(text: str) -> _Source:
    """Parse dice in notation, and return their law and numbers of throws."""
    expression = notation.parse(text)
    mean, most = Fraction(0), 0.0
    for term in dice_in(expression.body):
        reroll_chance = (
            Fraction(term.number_in(term.reroll.faces), term.sides) if term.reroll else Fraction(0)
        )
        is_once = term.reroll is None or term.reroll.times == 1
        mean += term.count * (1 + reroll_chance if is_once else 1 / (1 - reroll_chance))
        most += term.count * (1 if not reroll_chance else 2 if is_once else float("inf"))
    return _Source(distribution(expression), mean, most)


def _unexpected(word: str) -> SpecError:
    """Return the error for an unexpected word, or for the end of the rule if it is ""."""
    if not word:
        return SpecError("That rule breaks off.")
    return SpecError("I can't read {word!r} in that rule.", word=word)
