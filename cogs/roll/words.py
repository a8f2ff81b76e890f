"""The words of /save and "Roll details"."""

from collections.abc import Sequence

from bot.campaign.replay import Details, Moment
from bot.services.saved import SavedRoll
from bot.words.cards import Card, CardButton, CardRow, Divider, Head, Small, Text, Tone, in_rows, text_card
from bot.words.games import face as named
from bot.words.games import spoken
from bot.words.memories import remembered
from bot.words.rolls import result
from bot.words.saying import both, phrase, say, say_many
from bot.words.systems import tag
from bot.words.text import Pictures, code, escape, mention, percent

NO_ROLL = phrase("I find no roll in that message. `/details number:` takes its number.")
TWICE = phrase("Give `number` or `dice`, and `region` or `where`, but not both.")
NONE_YET = phrase("You have no saved rolls here. Save one: `/save name:Fireball dice:8d6`.")
SHARED = phrase("{dice} for everybody")
HALF = phrase("A saved roll needs a name and dice: `/save name:Fireball dice:8d6`.")
_FACE = 60
_ALSO = {
    "number": phrase("In other dice your number of that name goes before it."),
    "shared": phrase("It goes before the shared roll of that name."),
}


def asks(user_id: int, dice: str, times: int) -> str:
    """Return that somebody wants to roll, and others have to throw."""
    return say_many(
        "{player} wants to roll {dice}, and hosts the bot: somebody else throws.",
        "{player} wants to roll {n} times {dice}, and hosts the bot: somebody else throws.",
        times,
        player=mention(user_id),
        dice=code(spoken(dice)),
    )


def saved(kept: SavedRoll) -> str:
    """Return the answer to /save, and what else has that name."""
    own, shared = (
        phrase("Saved: {dice} as {name}. Roll it with {command}."),
        phrase("Saved for everybody here: {dice} as {name}. Roll it with {command}."),
    )
    values = {"dice": code(spoken(kept.text)), "name": code(kept.name), "command": f"`/roll {kept.name}`"}
    answer = say(shared if kept.shared else own, **values)
    if not kept.also:
        return answer
    game = phrase("Your roll comes first. {command} still rolls the game's.")
    return f"{answer} {say(_ALSO.get(kept.also, game), command=f'`/roll {kept.also}`')}"


def also_saved(names: Sequence[str]) -> str:
    """Return that words behind dice are names of saved rolls too."""
    return say("You have {names} saved too. Roll that instead?", names=both([*map(code, names)]))


def saved_list(own: Sequence[tuple[str, str]], shared: Sequence[tuple[str, str]]) -> Card:
    """Return a row for each of one's own and of the shared rolls, with its name and dice."""
    rows = [_saved(name, code(spoken(dice))) for name, dice in own]
    taken = {name.casefold() for name, _ in own}
    for name, dice in shared:
        row, button = _saved(name, say(SHARED, dice=code(spoken(dice))))
        # One's own of that name goes before it.
        rows.append((row, None if name.casefold() in taken else button))
    return (
        Card((Head(say("Saved rolls")), *in_rows(rows)), tone=Tone.QUIET)
        if rows
        else text_card(say(NONE_YET))
    )


def _saved(name: str, what: str) -> tuple[CardRow, CardButton | None]:
    button = CardButton("read", (1, "u", name), say("Roll"), apart=say("Roll {dice}", dice=name))
    return CardRow(f"**{escape(name)}**", verdict=what), button


def details(found: Details, pictures: Pictures) -> Card:
    """Return a roll's result, its roller at that moment, and the whole leaf."""
    event = found.rolled.event
    lines = [say("Rolled {when}.", when=f"<t:{int(event.time)}:F>")]
    if event.words and event.words.typed:
        lines.append(say("Typed as {text}.", text=code(event.words.typed)))
    if found.moment:
        lines += _moment(found.moment)
    if found.veiled:
        lines.append(say("I don't show its memory and its odds: a hidden roll is in them."))
    leaf = Small(say("Leaf {leaf}, proved by the file: `verify` takes it", leaf=code(event.seal.leaf.hex())))
    return Card(
        (*result(found.rolled, 1_200, pictures=pictures), Divider(), Text("\n".join(lines)), leaf),
        tone=Tone.QUIET,
    )


def _moment(moment: Moment) -> list[str]:
    lines = [say("The roller then: {roller}.", roller=escape(tag(moment.system))[:200])]
    lines += [
        say(
            "The chance of {face} was {now}%; without a memory it is {usual}%.",
            face=code(named(moment.system, face), _FACE),
            now=percent(now),
            usual=percent(usual),
        )
        for face, now, usual in moment.chances[:1]
    ]
    if moment.system.has_state:
        before, after = (remembered(moment.system, one) for one in (moment.before, moment.after))
        lines.append(say("Its memory before: {before}.\nAfter: {after}.", before=before, after=after))
    return lines
