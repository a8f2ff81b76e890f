"""A campaign's rules in words."""

from bot.campaign.events import Event, Visibility
from bot.campaign.rules import FOREVER, Rules, Whose
from bot.record.chain import short
from bot.render.escaping import mention
from bot.render.rolls import number

_SEEN_BY = {
    Visibility.PUBLIC: "everybody",
    Visibility.SELF: "who rolled",
    Visibility.GM: "who rolled and the game masters",
    Visibility.BLIND: "the game masters",
}
_WHO = {Whose.GMS: "game masters", Whose.EVERYONE: "everybody"}


def listing(rules: Rules, limit: int = FOREVER) -> str:
    """Every rule, a line each; `limit` is for how many days all histories are kept, 0 for ever."""
    return "\n".join(["**What holds for this campaign**", *_lines(rules, limit)])


def changed(event: Event, before: Rules, after: Rules, limit: int = FOREVER) -> str:
    """Says openly who changed what."""
    old = _lines(before, limit)
    lines = [line for line in _lines(after, limit) if line not in old]
    if FOREVER < after.kept_days(limit) != before.kept_days(limit):
        lines.append("Nothing is removed before tomorrow. `/export` takes away what you want to keep.")
    small = f"-# {number(event)} · `{short(event.head)}`"
    return "\n".join([f"{mention(event.user_id)} changed what holds for this campaign:", *lines, small])


def _lines(rules: Rules, limit: int) -> list[str]:
    counts = "a game master called for" if rules.called_only else "is made with it, unless for practice"
    rolls = "once" if rules.pace == 1 else f"{rules.pace} times"
    pace = f"{rolls} in five seconds" if rules.pace else "as fast as everybody"
    return [
        f"A roll that does not say so itself is seen by {_SEEN_BY[rules.visibility]}.",
        f"Rollers are made by {_WHO[rules.makers]}.",
        f"The odds of the next roll are shown to {_WHO[rules.odds]}.",
        f"A roller's memory counts every roll that {counts}.",
        f"A player may roll {pace}.",
        f"The history is kept for {days} days. What is older is removed for good; counts for `/stats` stay."
        if (days := rules.kept_days(limit))
        else "The history is kept for ever.",
    ]
