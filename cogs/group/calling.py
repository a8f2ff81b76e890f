"""Messages that mention people: call them to a roll, remind them, pass the turn to them."""

from collections.abc import Sequence

from bot.campaign.calls import Standing
from bot.words.saying import join_with_and, phrase, say, say_many
from bot.words.text import mention
from cogs.group.words import CALLED_SHOWN, call_name, missing

STANDS = phrase("The call stands ({number}), but Discord refused my answer. `/group show` puts it up.")


def reminder(standing: Standing) -> str:
    """Return the reminder for the missing players."""
    role = standing.call.terms.role
    whom = missing(standing, CALLED_SHOWN) or (f"<@&{role}>" if role else "")
    ends = f"<t:{(standing.call.deadline or 0) // 1000}:R>"
    if not whom:
        return say("Still open: {call} closes {ends}.", call=call_name(standing.call), ends=ends)
    return say("{players}: {call} closes {ends}.", players=whom, call=call_name(standing.call), ends=ends)


def also_called(standing: Standing, text: str) -> str:
    """Return the message for missing players whom `text` does not mention; "" if there are none."""
    rest = [whom for user_id in standing.missing if (whom := mention(user_id)) not in text]
    return say("Called too: {players}.", players=", ".join(rest)) if rest else ""


def your_turn(standing: Standing, user_id: int) -> str:
    """Return the message that calls the player at turn."""
    return say("{player}, it is your turn in {call}.", player=mention(user_id), call=call_name(standing.call))


def you_are_called(standing: Standing, players: Sequence[int]) -> str:
    """Return the message for players who were chosen after the call was opened."""
    names = [mention(user_id) for user_id in players]
    return say_many(
        "{players}: {call} waits for you.",
        "{players}: {call} waits for you all.",
        len(names),
        players=", ".join(names),
        call=call_name(standing.call),
    )


def lacking(permissions: Sequence[str]) -> str:
    """Return the private warning for a game master that the bot lacks permissions."""
    needed = join_with_and(permissions)
    if "View Channel" in permissions:
        return say(
            "I can't keep this message up to date unless I get {permissions} in this channel.",
            permissions=needed,
        )
    return say(
        "I can't remind those who are missing unless I get {permissions} in this channel.", permissions=needed
    )
