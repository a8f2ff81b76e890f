"""The words of /save and "Roll details"."""

from collections.abc import Sequence

from bot.campaign.replay import Details, Moment
from bot.services.saved import SavedRoll
from bot.words.cards import Card, CardButton, CardRow, Divider, Head, Small, Text, Tone, in_rows, said
from bot.words.memories import remembered
from bot.words.rolls import result
from bot.words.systems import tag
from bot.words.text import code, escape, mention, percent

NO_ROLL = "I find no roll in that message. `/details number:` takes its number."
TWICE = "Give `number` or `dice`, and `region` or `where`, but not both."
NONE_YET = "You have no saved rolls here. Save one: `/save name:Fireball dice:8d6`."
HALF = "A saved roll needs a name and dice: `/save name:Fireball dice:8d6`."
_FACE = 60
_ALSO = {
    "number": "In other dice your number of that name goes before it.",
    "shared": "It goes before the shared roll of that name.",
}


def asks(user_id: int, dice: str, times: int) -> str:
    """Return that somebody wants to roll, and others have to throw."""
    often = f"{times} times " if times > 1 else ""
    return f"{mention(user_id)} wants to roll {often}{code(dice)}, and hosts the bot: somebody else throws."


def saved(kept: SavedRoll) -> str:
    """Return the answer to /save, and what else has that name."""
    answer = f"Saved: {code(kept.text)} as {code(kept.name)}. Roll it with `/roll {kept.name}`."
    if not kept.also:
        return answer
    game = f"It goes before the game's word, which `/roll {kept.also}` still rolls."
    return f"{answer} {_ALSO.get(kept.also, game)}"


def also_saved(names: Sequence[str]) -> str:
    """Return that words behind dice are names of saved rolls too."""
    return f"You have {' and '.join(map(code, names))} saved too. Roll that instead?"


def saved_list(own: Sequence[tuple[str, str]], shared: Sequence[tuple[str, str]]) -> Card:
    """Return a row for each of one's own and of the shared rolls, with its name and dice."""
    rows = [_saved(name, code(dice)) for name, dice in own]
    rows += [_saved(name, f"{code(dice)} for everybody") for name, dice in shared]
    return Card((Head("Saved rolls"), *in_rows(rows)), tone=Tone.QUIET) if rows else said(NONE_YET)


def _saved(name: str, what: str) -> tuple[CardRow, CardButton]:
    button = CardButton("read", (1, "u", name), "Roll", apart=f"Roll {name}")
    return CardRow(f"**{escape(name)}**", verdict=what), button


def details(found: Details) -> Card:
    """Return a roll's result, its roller at that moment, and the whole leaf."""
    event = found.rolled.event
    lines = [f"Rolled <t:{int(event.time)}:F>."]
    if event.words and event.words.typed:
        lines.append(f"Typed as {code(event.words.typed)}.")
    if found.moment:
        lines += _moment(found.moment)
    if found.veiled:
        lines.append("Its memory and its chances are not shown: a hidden roll is in them.")
    leaf = Small(f"Leaf {code(event.seal.leaf.hex())}, proved by the file: `verify` takes it")
    return Card((*result(found.rolled, 1_200), Divider(), Text("\n".join(lines)), leaf), tone=Tone.QUIET)


def _moment(moment: Moment) -> list[str]:
    lines = [f"The roller then: {escape(tag(moment.system))[:200]}."]
    lines += [
        f"The chance of {code(face, _FACE)} was {percent(now)}%; without a memory it is {percent(usual)}%."
        for face, now, usual in moment.chances[:1]
    ]
    if moment.system.has_state:
        before, after = (remembered(moment.system, one) for one in (moment.before, moment.after))
        lines.append(f"Its memory before: {before}.\nAfter: {after}.")
    return lines
