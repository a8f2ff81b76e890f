"""The words of the log channel and of the game masters' channel."""

from bot.campaign.campaigns import Campaign
from bot.campaign.events import CardPlayed, Event, Rolled
from bot.campaign.kinds import Visibility
from bot.campaign.rolled import OfRoller
from bot.words.games import called
from bot.words.rolls import brief
from bot.words.saying import say, say_many
from bot.words.text import code, cut, escape, given_name, mention, player

_FACES, _DICE, _NAME = 120, 60, 40


def line(event: Event, link: str) -> str:
    """Return a public roll in a line, with a link to where it was made."""
    label = f" · {escape(given_name(event.label))} ·" if event.label else ""
    roller = f" {code(called(None, event.roller), _NAME)}" if isinstance(event.roll.of, OfRoller) else ""
    who, told = player(event.user_id, event.character), brief(event, _FACES, _DICE)
    return f"{who}{label}{roller} {told} · [#{event.seq}]({link})"


def reveal_line(event: Event, by: Event, link: str) -> str:
    """Return the line of a roll or a card that `by` shows to all, or of a call whose rolls all see."""
    if isinstance(by.body, CardPlayed):
        return say(
            "{player} plays **{card}** ({deck}) · [#{seq}]({link})",
            player=player(event.user_id, event.character),
            card=escape(cut(by.body.results[0], _FACES)),
            deck=code(by.roller, _NAME),
            seq=by.seq,
            link=link,
        )
    if isinstance(event.body, Rolled):
        return say("{line}, revealed", line=line(event, link))
    label = f" {code(given_name(event.label))}" if event.label else ""
    return say(
        "The rolls for the call{label} are revealed · [#{seq}]({link})", label=label, seq=event.seq, link=link
    )


def notice(event: Event, link: str) -> str:
    """Return what game masters hear of a hidden roll: who rolled and where, but no result and no label."""
    blind = event.visibility is Visibility.BLIND
    told = "{player} rolled blind: [#{seq}]({link})" if blind else "{player} rolled hidden: [#{seq}]({link})"
    return say(told, player=mention(event.user_id), seq=event.seq, link=link)


def left_out(count: int) -> str:
    """Return the line for rolls that came faster than Discord takes messages."""
    one, many = "{n} more roll: `/history` has them.", "{n:,} more rolls: `/history` has them."
    return f"-# {say_many(one, many, count)}"


def barred(channel_id: int) -> str:
    """Return the sentence for the table where Discord takes no messages in such a channel."""
    return say(
        "I can't post in <#{channel_id}>, so rolls don't show there. Give me View Channel "
        "and Send Messages there, or turn it off with `/admin settings stop:`.",
        channel_id=channel_id,
    )


def message_link(campaign: Campaign, channel_id: int, message_id: int) -> str:
    """Return the address of a message; near it, Discord goes to the next one."""
    return f"https://discord.com/channels/{campaign.home}/{channel_id}/{message_id}"
