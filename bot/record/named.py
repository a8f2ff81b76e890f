"""Check rolls that name an earlier one: a push, and a result that is compared with it."""

from bot.campaign.choosing import matches_first_roll
from bot.campaign.events import Event
from bot.campaign.replay import old_number, one_number
from bot.record.findings import Broken
from bot.systems.game import GameRoll


def check_named(event: Event, target: Event | None) -> None:
    """Raise Broken unless the roll that this one pushes, or is compared with, exists and fits.

    `target` is that roll; None if no roll has its number.
    """
    seq, body = event.seq, event.roll
    other = body.pushes or body.versus
    if body.pushes and not (target and _may_push(event, target)):
        raise Broken(
            seq, "#{number} pushes #{other}, which is no roll of that player's in that game.", other=other
        )
    if target and body.stood and not matches_first_roll(body, target.roll):
        raise Broken(seq, "#{number} keeps dice that did not fall so in #{other}.", other=other)
    totals = {one_number(target), old_number(target)} - {None} if target else set[int]()
    if body.versus and (body.check is None or body.check.dc not in totals):
        raise Broken(seq, "#{number} is compared with another number than that of #{other}.", other=other)


def _may_push(event: Event, target: Event) -> bool:
    """Return whether both are rolls of one game and of one player; an erased player may be anybody."""
    game = _game(event)
    erased = None in {target.user_id, event.user_id}
    return bool(game) and _game(target) == game and (erased or target.user_id == event.user_id)


def _game(event: Event) -> str:
    system = event.roll.of.system
    return system.game if isinstance(system, GameRoll) else ""
