"""What can be rolled for a call: once each, and numbers where the rolls are compared or added."""

from bot.campaign.call_terms import Form, Rule, Terms
from bot.campaign.rollers import Roller
from bot.dice import notation
from bot.dice.errors import SpecError


def once(dice: str) -> str:
    """The canonical text of notation that is rolled once; SpecError if it repeats, or NotationError."""
    roll = notation.parse(dice)
    if roll.repeat != 1:
        raise SpecError(f"Everybody rolls once for a call. Take {roll.body} instead of {roll}.")
    return str(roll)


def must_count(terms: Terms, roller: Roller) -> None:
    """SpecError where the terms compare or add the rolls, and the roller's are no numbers."""
    needed = terms.dc is not None or terms.form is Form.INITIATIVE or terms.rule is not Rule.EACH
    if needed and not shows_numbers(roller):
        raise SpecError(f"{roller.name} shows no numbers that could be compared.")


def shows_numbers(roller: Roller) -> bool:
    """Whether every roll of it is one number; several cards at once are none, whatever stands on them."""
    system = roller.system
    return system is not None and system.hand == 1 and all(_is_number(face) for face in system.faces)


def _is_number(face: str) -> bool:
    try:
        int(face)
    except ValueError:
        return False
    return True
