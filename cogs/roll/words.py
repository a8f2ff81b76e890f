"""Texts and cards of /save and "Roll details"."""

from collections.abc import Sequence

from bot.campaign.replay import Details, Moment
from bot.services.saved import SavedRoll
from bot.words.cards import Card, CardButton, CardRow, Divider, Head, Small, Text, Tone, in_rows, text_card
from bot.words.games import face as named
from bot.words.games import spoken
from bot.words.memories import remembered
from bot.words.rolls import result
from bot.words.saying import join_with_and, phrase, say, say_many
from bot.words.systems import tag
from bot.words.text import Pictures, code, cut, escape, mention, percent

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
    """Return the request that another player throws for the host."""
    return say_many(
        "{player} wants to roll {dice}, and hosts the bot: somebody else throws.",
        "{player} wants to roll {n} times {dice}, and hosts the bot: somebody else throws.",
        times,
        player=mention(user_id),
        dice=code(spoken(dice)),
    )


def saved(roll: SavedRoll) -> str:
    """Return the answer to /save, with a note on what else has that name."""
    own, shared = (
        phrase("Saved: {dice} as {name}. Roll it with {command}."),
        phrase("Saved for everybody here: {dice} as {name}. Roll it with {command}."),
    )
    values = {"dice": code(spoken(roll.text)), "name": code(roll.name), "command": f"`/roll {roll.name}`"}
    answer = say(shared if roll.shared else own, **values)
    if not roll.also:
        return answer
    game = phrase("Your roll comes first. {command} still rolls the game's.")
    return f"{answer} {say(_ALSO.get(roll.also, game), command=f'`/roll {roll.also}`')}"


def also_saved(names: Sequence[str]) -> str:
    """Return the question about words behind dice that are names of saved rolls."""
    return say("You have {names} saved too. Roll that instead?", names=join_with_and([*map(code, names)]))


def saved_list(own: Sequence[tuple[str, str]], shared: Sequence[tuple[str, str]]) -> Card:
    """Return a row with name and dice for each own and each shared roll."""
    rows = [_saved_row(name, code(spoken(dice))) for name, dice in own]
    own_names = {name.casefold() for name, _ in own}
    for name, dice in shared:
        row, button = _saved_row(name, say(SHARED, dice=code(spoken(dice))))
        # An own roll of the same name precedes it.
        rows.append((row, None if name.casefold() in own_names else button))
    return (
        Card((Head(say("Saved rolls")), *in_rows(rows)), tone=Tone.QUIET)
        if rows
        else text_card(say(NONE_YET))
    )


def _saved_row(name: str, dice: str) -> tuple[CardRow, CardButton | None]:
    button = CardButton("read", (1, "u", name), say("Roll"), apart=say("Roll {dice}", dice=name))
    return CardRow(f"**{escape(name)}**", verdict=dice), button


def details(inspected: Details, pictures: Pictures) -> Card:
    """Return a roll's result, its roller at that moment, and its full leaf hash."""
    event = inspected.rolled.event
    lines = [say("Rolled {when}.", when=f"<t:{int(event.time)}:F>")]
    if event.words and event.words.typed:
        lines.append(say("Typed as {text}.", text=code(event.words.typed)))
    if inspected.moment:
        lines += _moment(inspected.moment)
    # A roll that does not come out so is refused before.
    lines.append(say("I worked it out again from its record: it comes out the same."))
    if inspected.veiled:
        lines.append(say("I don't show its memory and its odds: a hidden roll is in them."))
    leaf = Small(say("Leaf {leaf}, proved by the file: `verify` takes it", leaf=code(event.seal.leaf.hex())))
    return Card(
        (*result(inspected.rolled, 1_200, pictures=pictures), Divider(), Text("\n".join(lines)), leaf),
        tone=Tone.QUIET,
    )


def _moment(moment: Moment) -> list[str]:
    lines = [say("The roller then: {roller}.", roller=cut(tag(moment.system), 200))]
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
        before, after = (remembered(moment.system, memory) for memory in (moment.before, moment.after))
        lines.append(say("Its memory before: {before}.\nAfter: {after}.", before=before, after=after))
    return lines
