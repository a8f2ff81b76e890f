"""The words of /odds for a luck account: both chances and where it stands; in *Details* what comes next."""

from collections.abc import Sequence

from bot.campaign.accounts import Future, Outlook
from bot.campaign.campaigns import Remembers
from bot.dice.names import clean
from bot.stats.reports import AccountAnswer
from bot.systems.checks import EVEN_DICE
from bot.words.cards import Card, CardButton, Head, Picture, Small, Text, Tone
from bot.words.checks import balance, passed, whole
from bot.words.pictures import Bar, OddsKey
from bot.words.systems import tag
from bot.words.text import capital, code, escape, mention, plural

ACCOUNT_KEY = OddsKey("on the account", "plain dice")
_NAME = 24
_NOTE = "It moves chances and fixes no roll: all that the dice can show stays possible."


def card(found: AccountAnswer, user_id: int, picture: Picture, more: CardButton | None) -> Card:
    """Return the answer: both chances, the picture, and a button for `more`; without one all is there."""
    look = found.look
    whom = mention(user_id) if found.memory is Remembers.PLAYER else "the table"
    where = f"Now {whom} is {balance(look.seen.memory)}.{_hidden(look)}"
    blocks = (
        Head(f"{whole(look.odds.now)}%", aside=f"{_what(look)} on **{escape(look.name)}**"),
        Text(f"Plain dice: {whole(look.odds.plain)}%. {where}"),
        picture,
    )
    if more is None:
        return Card((*blocks, *details(found).blocks), tone=Tone.QUIET)
    return Card(blocks, (more,), Tone.QUIET)


def details(found: AccountAnswer) -> Card:
    """Return what comes after either outcome, what was passed so far, and the account's rule."""
    look = found.look
    lines = [*map(_future, look.futures), *([passed(found.record)] if found.record.checks else [])]
    rule = Small(f"{escape(tag(look.account))}. {_NOTE}{_hidden(look)}")
    return Card((Text("\n".join(lines)), rule), tone=Tone.QUIET)


def _hidden(look: Outlook) -> str:
    """Return how many checks are left out, which would be told otherwise."""
    hidden = look.seen.hidden
    return f" {capital(plural(hidden, 'hidden check'))} not shown." if hidden else ""


def caption(look: Outlook) -> tuple[str, str]:
    """Return the chart's title and the line below it."""
    return f"{look.name}: {_what(look).replace('`', '')}", _NOTE


def bars(look: Outlook) -> list[Bar]:
    """Return the chart's bars: the chance to pass now, and after each outcome."""
    rows = [("now", look.seen.memory, look.odds.now)]
    rows += [(f"then, after {_came(future)}", future.memory, future.odds.now) for future in look.futures]
    return [
        Bar(f"{name}: {balance(memory)}", look.odds.plain, chance, f"{whole(chance)}%")
        for name, memory, chance in rows
    ]


def alt(drawn: Sequence[Bar]) -> str:
    """Return the chart's description, in at most 1,000 characters."""
    told = "; ".join(f"{bar.face}: {bar.label}" for bar in drawn)
    return f"The chance to pass, {whole(drawn[0].base)}% with plain dice. {told}."[:1_000]


def _what(look: Outlook) -> str:
    if look.dice == EVEN_DICE:
        return "An even check"
    how = f"at most {look.terms.dc}" if look.terms.under else str(look.terms.dc)
    return f"{code(look.dice)} against {how}"


def _future(future: Future) -> str:
    return f"After {_came(future)}: {balance(future.memory)}, then {whole(future.odds.now)}%."


def _came(future: Future) -> str:
    if future.degree:
        return escape(clean(future.degree, _NAME))
    return "a pass" if future.passes else "a miss"
