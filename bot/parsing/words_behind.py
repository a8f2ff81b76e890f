"""Ask about words behind names that change dice, as `bless` does."""

import re

from bot.dice import notation
from bot.dice.errors import NotationError
from bot.dice.everyday import WORD
from bot.dice.naming import UnknownName, Vocabulary, first_name, folded, resolve
from bot.dice.slips import EFFECT_WORDS, ask_about_word

_ADDED_NAME = re.compile(rf"[-+] ?({WORD}(?: {WORD})++)", re.IGNORECASE)
_BEGINS_NAME = re.compile(r"(?!d\d)[^\W\d]")
_EFFECTS = re.compile(rf"\d (?:with )?(?:{EFFECT_WORDS})\b", re.IGNORECASE)
_EFFECT_ON_BONUS = re.compile(rf"[-+].*{_EFFECTS.pattern}", re.IGNORECASE)
_STAND_IN = "91827"
"""A number in the place of a name, in which no other number stands."""


def asks_or_rolls(dice: str, vocabulary: Vocabulary) -> bool:
    """Return whether dice can be read with their names, or once their numbers are asked for."""
    try:
        return notation.reads(dice) or resolve(dice, vocabulary) is not None
    except UnknownName:
        return True
    except NotationError:
        return False


def refuse_effects(text: str, vocabulary: Vocabulary, usual: str) -> NotationError | None:
    """Return the question about words behind a name that change dice, `d20+stealth bless`; None for others.

    The longest name that leaves such words is a number. A name alone is on the `usual` dice, if any.
    """
    if usual and _EFFECT_ON_BONUS.match(text) and (readings := notation.meanings(f"{usual}{text}")):
        return ask_about_word(readings)
    text = f"{usual}+{text}" if usual and _BEGINS_NAME.match(text) else text
    match = None if notation.reads(text) else _ADDED_NAME.search(text)
    if match is None:
        return None
    words, own = match[1].split(" "), folded(first_name(match[1], vocabulary))
    # What stands behind a saved roll, or a roller, is asked about elsewhere.
    for count in range(len(words) - 1, 0, -1) if not own or own in vocabulary.numbers else ():
        name = " ".join(words[:count])
        in_numbers = f"{text[: match.start(1)]}{_STAND_IN}{text[match.start(1) + len(name) :]}"
        is_named = any(vocabulary.has(folded(word)) for word in words[count:])
        if not is_named and _EFFECTS.search(in_numbers) and (readings := notation.meanings(in_numbers)):
            offers = (offer._replace(text=offer.text.replace(_STAND_IN, name)) for offer in readings)
            if rolled := tuple(offer for offer in offers if asks_or_rolls(offer.text, vocabulary)):
                return ask_about_word(rolled)
    return None
