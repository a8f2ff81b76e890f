"""Texts of the log channel and of the game masters' channel."""

from bot.campaign.campaigns import Campaign
from bot.campaign.events import CardPlayed, Event, Rolled
from bot.campaign.kinds import Visibility
from bot.words.rolls import brief, own_label
from bot.words.saying import say, say_many
from bot.words.text import code, cut, escape, mention, player

_FACES, _DICE, _NAME = 120, 60, 40


def line(event: Event, link: str) -> str:
    """Return the line of a public roll, with a link to its message."""
    label = f" · {escape(own)} ·" if (own := own_label(event)) else ""
    name, summary = player(event.user_id, event.character), brief(event, _FACES, _DICE)
    return f"{name}{label} {summary} · [#{event.seq}]({link})"


def reveal_line(event: Event, by: Event, link: str) -> str:
    """Return the line of a roll, a card, or a call's rolls that the event `by` reveals."""
    if isinstance(by.body, CardPlayed):
        return say(
            "{player} plays **{card}** ({deck}) · [#{seq}]({link})",
            player=player(event.user_id, event.character),
            card=cut(by.body.results[0], _FACES),
            deck=code(by.roller, _NAME),
            seq=by.seq,
            link=link,
        )
    if isinstance(event.body, Rolled):
        return say("{line}, revealed", line=line(event, link))
    label = f" {code(own)}" if (own := own_label(event)) else ""
    template = "The rolls for the call{label} are revealed · [#{seq}]({link})"
    return say(template, label=label, seq=event.seq, link=link)


def notice(event: Event, link: str) -> str:
    """Return the notice of a hidden roll for game masters: its player and place, no result, no label."""
    template = "{player} rolled hidden: [#{seq}]({link})"
    if event.visibility is Visibility.BLIND:
        template = "{player} rolled blind: [#{seq}]({link})"
    return say(template, player=mention(event.user_id), seq=event.seq, link=link)


def left_out(count: int) -> str:
    """Return the line for rolls that were omitted because of Discord's rate limit."""
    singular, plural = "{n} more roll: `/history` has them.", "{n:,} more rolls: `/history` has them."
    return f"-# {say_many(singular, plural, count)}"


def message_link(campaign: Campaign, channel_id: int, message_id: int) -> str:
    """Return the URL of a message. For an id between two messages Discord opens the next one."""
    return f"https://discord.com/channels/{campaign.home}/{channel_id}/{message_id}"
