"""The words of /odds for a luck account: both chances and where it stands; in *Details* what comes next."""

from collections.abc import Sequence

from bot.campaign.accounts import Future, Outlook
from bot.campaign.campaigns import Remembers
from bot.dice.names import clean
from bot.stats.check_evenings import AccountAnswer
from bot.systems.checks import EVEN_DICE
from bot.words.cards import Card, CardButton, Head, Picture, Small, Text, Tone
from bot.words.checks import balance, passed, whole
from bot.words.pictures import Bar, OddsKey
from bot.words.saying import behind, phrase, say, say_many
from bot.words.systems import tag
from bot.words.text import code, escape, in_percent, mention

_NAME = 24
_NOTE = phrase("It shifts the chances and fixes no roll: everything the dice can show stays possible.")


def key() -> OddsKey:
    """Return what the chart's key says."""
    return OddsKey(say("on the account"), say("plain dice"))


def card(found: AccountAnswer, user_id: int, picture: Picture, more: CardButton | None) -> Card:
    """Return the answer: both chances, the picture, and a button for `more`; without one all is there."""
    look = found.look
    standing = balance(look.seen.memory)
    own = found.memory is Remembers.PLAYER
    told = "Now {player} is {standing}." if own else "Now the table is {standing}."
    where = say(told, player=mention(user_id), standing=standing)
    plain = say("Plain dice: {chance}%.", chance=whole(look.odds.plain))
    blocks = (
        Head(
            in_percent(whole(look.odds.now)),
            aside=say("{check} on **{account}**", check=_what(look), account=escape(look.name)),
        ),
        Text(" ".join([plain, where, *_hidden(look)])),
        picture,
    )
    if more is None:
        return Card((*blocks, *details(found).blocks), tone=Tone.QUIET)
    return Card(blocks, (more,), Tone.QUIET)


def details(found: AccountAnswer) -> Card:
    """Return what comes after either outcome, what was passed so far, and the account's rule."""
    look = found.look
    lines = [*map(_future, look.futures), *([passed(found.record)] if found.record.checks else [])]
    rule = Small(" ".join([f"{escape(tag(look.account))}.", say(_NOTE), *_hidden(look)]))
    return Card((Text("\n".join(lines)), rule), tone=Tone.QUIET)


def _hidden(look: Outlook) -> list[str]:
    """Return how many checks are left out, which would be told otherwise."""
    hidden = look.seen.hidden
    one, many = "{n} hidden check not shown.", "{n:,} hidden checks not shown."
    return [say_many(one, many, hidden)] if hidden else []


def caption(look: Outlook) -> tuple[str, str]:
    """Return the chart's title and the line below it."""
    return behind(look.name, _what(look).replace("`", "")), say(_NOTE)


def bars(look: Outlook) -> list[Bar]:
    """Return the chart's bars: the chance to pass now, and after each outcome."""
    rows = [(say("now: {standing}", standing=balance(look.seen.memory)), look.odds.now)]
    rows += [(say(_AFTER[_which(future)][0], **_outcome(future)), future.odds.now) for future in look.futures]
    return [Bar(name, look.odds.plain, chance, in_percent(whole(chance))) for name, chance in rows]


def alt(drawn: Sequence[Bar]) -> str:
    """Return the chart's description, in at most 1,000 characters."""
    told = "; ".join(behind(bar.face, bar.label) for bar in drawn)
    plain = whole(drawn[0].base)
    return say("The chance to pass, {plain}% with plain dice. {told}.", plain=plain, told=told)[:1_000]


def _what(look: Outlook) -> str:
    if look.dice == EVEN_DICE:
        return say("An even check")
    told = "{dice} against at most {dc}" if look.terms.under else "{dice} against {dc}"
    return say(told, dice=code(look.dice), dc=look.terms.dc)


def _future(future: Future) -> str:
    values = _outcome(future)
    return say(
        _AFTER[_which(future)][1],
        **values | {"degree": escape(values["degree"])},
        chance=whole(future.odds.now),
    )


_AFTER = (
    (phrase("then, after {degree}: {standing}"), phrase("After {degree}: {standing}, then {chance}%.")),
    (phrase("then, after a pass: {standing}"), phrase("After a pass: {standing}, then {chance}%.")),
    (phrase("then, after a miss: {standing}"), phrase("After a miss: {standing}, then {chance}%.")),
)
"""How a check may come out, on the chart and in a line."""


def _which(future: Future) -> int:
    return 0 if future.degree else 1 if future.passes else 2


def _outcome(future: Future) -> dict[str, str]:
    """Return how a check came out, if that has a name, and how the account stands then."""
    return {"degree": clean(future.degree, _NAME), "standing": balance(future.memory)}
