"""Messages that mention people: call them to a roll, remind them, pass the turn to them."""

from collections.abc import Sequence

from bot.campaign.calls import Standing
from bot.words.saying import join_with_and, phrase, read_table, say, say_many
from bot.words.text import escape, mention
from cogs.group.words import CALLED_SHOWN, call_name, missing, round_line

_TEXTS = read_table(__file__, "calling")
STANDS = phrase("The call stands ({number}), but Discord refused my answer. `/group show` puts it up.")


def reminder(standing: Standing) -> str:
    """Return the reminder for the missing players."""
    role = standing.call.terms.role
    called = missing(standing, CALLED_SHOWN), f"<@&{role}>" if role else ""
    whom = ", ".join(filter(None, called))
    ends = f"<t:{(standing.call.deadline or 0) // 1000}:R>"
    text = _TEXTS["reminder"]["players" if whom else "nobody"]
    return say(text, players=whom, call=call_name(standing.call), ends=ends)


def also_called(standing: Standing, text: str) -> str:
    """Return the message for missing players whom `text` does not mention; "" if there are none."""
    rest = [whom for user_id in standing.missing if (whom := mention(user_id)) not in text]
    return say("Called too: {players}.", players=", ".join(rest)) if rest else ""


def at_turn(standing: Standing) -> str:
    """Return whose turn it is: it calls a player, by the name of their character if they have one."""
    entry = standing.at_turn
    if entry is None or entry.user_id is None:
        return round_line(standing)
    character = escape(entry.event.character)
    text = _TEXTS["turn"]["character" if character else "player"]
    called = mention(entry.user_id)
    return say(text, character=character, player=called, call=call_name(standing.call))


def you_are_called(standing: Standing, players: Sequence[int]) -> str:
    """Return the message for players who were chosen after the call was opened."""
    singular, plural = "{players}: {call} waits for you.", "{players}: {call} waits for you all."
    names, call = ", ".join(map(mention, players)), call_name(standing.call)
    return say_many(singular, plural, len(players), players=names, call=call)


def moved(standing: Standing, url: str) -> str:
    """Return the message in place of a call's board that was put up again elsewhere."""
    text = "{call} has a new message: [#{seq}]({url})"
    return say(text, call=call_name(standing.call), seq=standing.call.event.seq, url=url)


def lacking(permissions: Sequence[str]) -> str:
    """Return the private warning for a game master that the bot lacks permissions."""
    text = _TEXTS["lacking"]["view" if "View Channel" in permissions else "post"]
    return say(text, permissions=join_with_and(permissions))
