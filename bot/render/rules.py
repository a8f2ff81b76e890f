"""A campaign's rules in words."""

from bot.core.chain import short
from bot.core.events import Event, Visibility
from bot.core.rules import Rules, Whose
from bot.render.escaping import mention
from bot.render.rolls import number

_SEEN_BY = {
    Visibility.PUBLIC: "everybody",
    Visibility.SELF: "who rolled",
    Visibility.GM: "who rolled and the game masters",
    Visibility.BLIND: "the game masters",
}
_WHO = {Whose.GMS: "game masters", Whose.EVERYONE: "everybody"}


def listing(rules: Rules) -> str:
    """Every rule, a line each."""
    return "\n".join(["**What holds for this campaign**", *_lines(rules)])


def changed(event: Event, before: Rules, after: Rules) -> str:
    """Says openly who changed what."""
    old = _lines(before)
    lines = [line for line in _lines(after) if line not in old]
    small = f"-# {number(event)} · `{short(event.head)}`"
    return "\n".join([f"{mention(event.user_id)} changed what holds for this campaign:", *lines, small])


def _lines(rules: Rules) -> list[str]:
    counts = "a game master called for" if rules.called_only else "is made with it, unless for practice"
    rolls = "once" if rules.pace == 1 else f"{rules.pace} times"
    pace = f"{rolls} in five seconds" if rules.pace else "as fast as everybody"
    return [
        f"A roll that does not say so itself is seen by {_SEEN_BY[rules.visibility]}.",
        f"Rollers are made by {_WHO[rules.makers]}.",
        f"The odds of the next roll are shown to {_WHO[rules.odds]}.",
        f"A roller's memory counts every roll that {counts}.",
        f"A player may roll {pace}.",
    ]
