"""What names mean for somebody in a campaign, looked up in one trip, and what a text with names asks for."""

import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from difflib import get_close_matches
from typing import NamedTuple, TypeAlias

from bot.campaign.beside import RollBeside, read_around
from bot.campaign.call_commands import OpenCall, RollForNames
from bot.campaign.campaigns import USUAL, Roller, Rules
from bot.campaign.checks import RollCheck
from bot.campaign.command import Caller, RollOptions
from bot.campaign.d100_rolls import KEPT
from bot.campaign.rolls import EVENHAND, RollDice, must_be_dice
from bot.dice import notation
from bot.dice.dialects.dialect import Dialect
from bot.dice.errors import DiceError, DiceReading, NotationError, SpecError
from bot.dice.everyday import RESERVED, WORD, named_faces
from bot.dice.names import NAME_LIMIT, clean
from bot.dice.naming import NoName, Resolved, Vocabulary, asked, first_name, folded, resolve, without_numbers
from bot.rulebooks.book import Game, plain
from bot.rulebooks.words import meant
from bot.services.parsing import asked_game, in_english, is_word, read_as, reads_as_game, shipped
from bot.storage import campaigns, characters, saved
from bot.storage.queries import Queries, Reader
from bot.storage.reading import rollers
from bot.words.notation import in_notation

Named: TypeAlias = RollDice | RollCheck | RollForNames | OpenCall
"""Commands in whose text a name may be a term."""
_SIGNED = re.compile(r"\s*[+-]\s*[^\W\d]")
_WORDS = rf"{WORD}(?!\w)(?:\s++{WORD}(?!\w))*+"
_NAME = re.compile(rf"\s*{_WORDS}")
_LABEL = re.compile(rf"(\A|[-+])\s*({_WORDS})(?=\s*[-+]\s*\d|\s+d?\d)\s*")
_OWN = re.compile(rf"([-+]?)\s*(?<!\w)({WORD})")
_MAY_CHANGE = re.compile(rf"\b\w\b|{RESERVED.pattern}", re.IGNORECASE)
"""What is no label: one letter, and words that may change a roll."""
_NEAR = 0.8
"""How alike a slip is to what was meant."""
_D20 = "1d20"
COMMENT = " #"


class Known(NamedTuple):
    """What a text may mean in a campaign."""

    rollers: Mapping[str, Roller]
    """Its rollers by their casefolded names."""
    rules: Rules
    names: Vocabulary

    @property
    def game(self) -> Game | None:
        """The game that is played."""
        return self.rules.played(shipped())

    def given(self, numbers: Mapping[str, str]) -> "Known":
        """Return it with these numbers before the person's own."""
        names = replace(self.names, numbers={**self.names.numbers, **numbers})
        return self._replace(names=names) if numbers else self

    def in_notation(self, text: str) -> str:
        """Return a text with the words of dice that its language has as notation.

        Those in a name stay; in a game's words, which have others of their own, all but "d" and "vs".
        """
        first = plain(text.split(maxsplit=1)[0]) if text.strip() else ""
        of_game = is_word(text) or (self.game is not None and self.game.roll(first) is not None)
        ours, said = in_notation(text, ("d", "vs")) if of_game else in_notation(text), folded(text)
        names = (*self.rollers, *self.names.saved) if ours != text else ()
        return text if any(name in said and in_notation(name) != name for name in names) else ours

    def meant(self, text: str) -> Resolved | None:
        """Return what a text with names asks for, or a saved roll's name alone; None where none is known.

        NoName where all is right but for names that nobody knows; NotationError for what can't be read.
        """
        own = self.names.saved.get(folded(text))
        if text.strip().casefold() in self.rollers:
            return None
        if own is None or notation.reads(text, self.rules.dialect):
            return (
                self._on_usual(text) or self._of_game(text) or resolve(text, self.names, self.rules.dialect)
            )
        if notation.reads(own) or own.strip().casefold() in self.rollers or reads_as_game(own, self.game):
            return Resolved(own)
        return resolve(own, self.names) or Resolved(own)

    def _on_usual(self, text: str) -> Resolved | None:
        """Return a bonus by name, `+str` or one's own `stealth adv`, on the usual dice of the game played.

        In a game whose first roll takes such a number, one's own `spot` is that roll. NotationError where
        nothing is usual; None where it is no such bonus.
        """
        if not _SIGNED.match(text):
            name = first_name(text, self.names)
            number = folded(name) in self.names.numbers
            if not number or reads_as_game(text, self.game) or self._has_dice(text):
                return None
            worth, rest = self.names.number(name), text.lstrip()[len(name) :]
            if roll := meant(f"{worth:+}{rest}", self.game):
                return Resolved(roll, comment=name)
            text = f"+{text.strip()}"
        usual = self.game.usual if self.game else ""
        try:
            found = resolve(f"{usual or _D20}{text}", self.names, self.rules.dialect)
        except NotationError as error:
            if isinstance(error, NoName):
                raise
            return None
        if found and not usual:
            said = DiceReading(f"{_D20}{text.strip()}", "on a d20")
            raise NotationError("That has no dice.", readings=(said,))
        return found

    def offered(self, text: str) -> Iterator[DiceReading]:
        """Yield what a refused text may mean here: a name with a slip, a label in front, a bonus."""
        if said := self.near(text) or self._labelled(text):
            yield DiceReading(said)
        if said := self.with_bonus(text):
            yield DiceReading(said, "with your bonus")

    def near(self, text: str) -> str:
        """Return a text with a slip in its first name put right; "" where nothing is nearly that name."""
        names = [*self.names.numbers, *self.names.saved, *self.rollers]
        if self.game:
            names += [self.game.key, *(plain(roll.word) for roll in self.game.rolls)]
        found = _NAME.match(text[:NAME_LIMIT])
        words = found[0].split()[:4] if found else []
        for said in (" ".join(words[:n]) for n in range(len(words), 0, -1)):
            if name := _near(folded(said), names):
                ours = self.names.rollers.get(name, name) + text.strip().removeprefix(said)
                return ours if self._means(ours) else ""
        return ""

    def _means(self, text: str) -> bool:
        """Return whether a text is a roller, a game's words, or dice with the names that are known."""
        with suppress(DiceError):
            return text.casefold() in self.rollers or bool(asked_game(text, self.game) or self.meant(text))
        return False

    def _labelled(self, text: str) -> str:
        """Return dice or numbers with the words before them behind a #, `8d6 # fireball`; "" for others."""
        names = [" ".join(name.split()) for _, name in _LABEL.findall(text)]
        rest = _LABEL.sub(r"\1", text).strip()
        if not notation.reads(rest):
            usual, sign = self.game.usual if self.game else _D20, "" if rest[:1] in "+-" else "+"
            rest = f"{usual}{sign}{rest}" if usual else meant(rest, self.game)
        label = ", ".join(names)
        known = label and (notation.reads(rest) or reads_as_game(rest, self.game))
        return f"{rest} # {label}" if known and not _MAY_CHANGE.search(label) else ""

    def with_bonus(self, text: str) -> str:
        """Return a name on the usual dice of the game played, `d20+stealth adv`; "" for other texts.

        It is one's own number's, or nobody's.
        """
        name, usual = text.strip(), self.game.usual if self.game else ""
        if not usual:
            return ""
        said = f"{usual}+{name}"
        if folded(first_name(name, self.names)) in self.names.numbers:
            return "" if self._has_dice(name) else said
        try:
            resolve(said, self.names, self.rules.dialect)
        except NoName as error:
            return said if len(error.names) == 1 and name.startswith(error.names) else ""
        except NotationError:
            pass
        return ""

    def _has_dice(self, text: str) -> bool:
        """Return whether names and all else in a text are dice as they are.

        NotationError for a bonus and dice, `stealth+1d4`, in a game whose usual dice may be meant too.
        """
        found = None
        with suppress(NotationError):
            found = resolve(text, self.names, self.rules.dialect)
        usual = self.game.usual if self.game else ""
        if (
            found
            and usual
            and not found.roller
            and folded(first_name(text, self.names)) in self.names.numbers
        ):
            readings = DiceReading(f"{usual}+{text.strip()}"), DiceReading(found.text)
            raise NotationError("With {usual} or without? I can't tell.", usual=usual, readings=readings)
        return found is not None

    def _of_game(self, text: str) -> Resolved | None:
        """Return a game's words with one's own names, `sword adv ac 15` or `attack str`; None for others."""
        name = first_name(text, self.names)
        own, rest = self.names.saved.get(folded(name), ""), text.strip().removeprefix(name)
        said = f"{own} {rest.strip()}"
        if own and reads_as_game(own, self.game) and asked_game(said, self.game):
            return Resolved(said, comment=name)
        first, _, rest = text.strip().partition(" ")
        if not (self.game and self.game.answers(plain(first))) or reads_as_game(text, self.game):
            return None
        said = f"{first} {_OWN.sub(self._worth, rest)}"
        return Resolved(said) if reads_as_game(said, self.game) else None

    def _worth(self, name: re.Match[str]) -> str:
        """Return one's own number for its name, with its sign; other words as they are."""
        if folded(name[2]) not in self.names.numbers:
            return name[0]
        return f"{self.names.number(name[2]) * (-1 if name[1] == '-' else 1):+}"

    def read(self, text: str, *, whose: str = "") -> str:
        """Return what is kept: a roller, a game's words, or dice, if need be in Evenhand's own notation.

        A game's words are kept in English, for those who read other languages. Names stay in the dice of
        somebody's own saved roll, which is `whose` name; elsewhere they are put as what they mean, but for
        numbers. NotationError where it is none of them, SpecError for a luck account, which has no dice.
        """
        if roller := self.rollers.get(text.casefold()):
            must_be_dice(roller)
        text = self.in_notation(text)
        if roller or reads_as_game(text, self.game):
            return text if roller else in_english(text, self.game)
        dialect = self.rules.dialect
        if not notation.reads(text, dialect):
            names = self.names
            if whose:
                names = replace(names, saved={**names.saved, folded(whose): text})
            if found := resolve(text, names, dialect, later=not whose):
                return text if whose else found.text
        roll = notation.parse(text, dialect)
        return text if dialect is Dialect.EVENHAND else str(roll)

    def call(self, command: OpenCall) -> Named | RollBeside | None:
        """Return a call with its names as what they mean; None where none is known.

        Numbers stay in it, for each player has their own.
        """
        text = self.names.saved.get(folded(command.dice), command.dice)
        alone = text.strip().casefold() in self.rollers
        if not (alone or reads_as_game(text, self.game)):
            if not notation.reads(text, self.rules.dialect) and self.near(text):
                readings = tuple(self.offered(text))
                raise NotationError("I don't know {said}.", said=f"`{text}`", readings=readings)
            text = self.with_bonus(text) or text
        found = None if alone else resolve(text, self.names, self.rules.dialect, later=True)
        if found is None or not asked(found.text):
            return self.put(command)
        dice = notation.without_comment(found.text)
        options = replace(command.options, typed=dice)
        if found.roller:
            put = self.put(replace(command, dice=without_numbers(dice, self._is_beside)))
            return replace(put, options=options) if isinstance(put, OpenCall) else put
        return replace(command, dice=without_numbers(dice), options=options, by=read_as(self.rules))

    def _is_beside(self, text: str) -> bool:
        """Return whether it is a roller with something around it that can be read."""
        with suppress(NotationError):
            found = resolve(text, self.names, self.rules.dialect)
            return bool(found and found.roller and read_around(found.text))
        return False

    def put(self, command: Named) -> Named | RollBeside | None:
        """Return a command with the names in its text as what they mean; None where none is known."""
        found = self.meant(command.said)
        if found is None:
            return None
        typed = command.text if isinstance(command, RollDice) else command.dice
        label = command.options.label
        if not label and isinstance(command, RollDice):
            said = found.comment or notation.comment(found.text)
            by_name = folded(typed) in self.names.saved and not named_faces(said)
            label = clean(typed if by_name else said)
        options = replace(command.options, label=label, typed=notation.without_comment(typed))
        if found.roller:
            return _beside(command, found, options)
        by = read_as(self.rules)
        if isinstance(command, RollDice):
            return replace(command, text=found.text, options=options, by=by)
        return replace(command, dice=found.text, options=options, by=by)


def _beside(command: Named, found: Resolved, options: RollOptions) -> Named | RollBeside:
    """Return a roll with a roller as a term; SpecError where such a roll can't be asked for."""
    roller, around = found.roller, read_around(found.text)
    if around.words and not options.label:
        options = replace(options, label=clean(around.words))
    match command:
        case OpenCall(account="") if found.times == 1:
            terms = command.terms
            if around.terms:
                if terms.dc is not None:
                    raise SpecError("A call has one DC. Leave it out of the dice.")
                terms = replace(terms, dc=around.terms.dc, under=around.terms.under)
            return replace(
                command, dice=roller, adjustment=around.adjustment, terms=terms, options=options, by=EVENHAND
            )
        case RollForNames() if found.times == 1:
            adjustment, terms = around.adjustment, around.terms
            return replace(
                command, dice=roller, adjustment=adjustment, terms=terms, options=options, by=EVENHAND
            )
        case RollDice():
            times = found.times * command.times
            return RollBeside(roller, around.adjustment, times, around.terms, options)
        case RollCheck(account=""):
            if around.terms and (command.terms or command.versus is not None):
                raise SpecError("A check has one DC. Leave it out of the dice.")
            terms = command.terms or around.terms
            return RollBeside(roller, around.adjustment, found.times, terms, options, command.versus)
        case RollCheck() | OpenCall() if command.account:
            raise SpecError("A luck account takes dice, and {roller} is a roller.", roller=roller)
        case _:
            raise SpecError("Everybody rolls once. Leave the repeats out.")


def _near(said: str, names: Collection[str]) -> str:
    """Return the name that has the same letters in another order, or nearly the same ones; "" for none."""
    swapped = [name for name in names if sorted(name) == sorted(said)]
    return "" if said in names else next(iter(swapped or get_close_matches(said, names, 1, _NEAR)), "")


async def in_notation_here(reader: Reader, caller: Caller, text: str) -> str:
    """Return a text with the words of dice of its language as notation; nothing is read without such."""
    return text if in_notation(text) == text else (await reader.do(known_here(caller))).in_notation(text)


def known_here(caller: Caller) -> Queries[Known]:
    """Return what texts may mean where somebody asks."""
    found = yield from campaigns.played_campaign(caller)
    if found is None:
        return Known({}, USUAL, Vocabulary())
    there = {roller.name.casefold(): roller for roller in (yield from rollers(found.campaign_id))}
    kept = yield from saved.offered((found.campaign_id, caller.user_id))
    named = {folded(roller.name): roller.name for key, roller in there.items() if key not in KEPT}
    numbers = yield from characters.numbers(found.campaign_id, caller.user_id)
    return Known(there, found.campaign.rules, Vocabulary(numbers, kept, named))
