"""The cards of /odds for a luck account: both chances and its balance; behind *Details* the next check."""

from collections.abc import Sequence

from bot.campaign.accounts import Future, Outlook
from bot.campaign.campaigns import Remembers
from bot.dice.names import clean
from bot.stats.check_evenings import AccountAnswer
from bot.systems.checks import EVEN_DICE
from bot.words.cards import Card, CardButton, Head, Picture, Small, Text, Tone
from bot.words.checks import balance, passed, whole
from bot.words.pictures import Bar, OddsKey
from bot.words.saying import TEXTS, phrase, say, say_many, with_heading
from bot.words.systems import tag
from bot.words.text import code, escape, in_percent, mention

_NAME = 24
_NOTE = phrase("It shifts the chances and fixes no roll: everything the dice can show stays possible.")


def key() -> OddsKey:
    """Return the chart's key."""
    return OddsKey(say("on the account"), say("plain dice"))


def card(answer: AccountAnswer, user_id: int, picture: Picture, more: CardButton | None) -> Card:
    """Return the answer: both chances, the picture, and the button `more`; without that, all details too."""
    outlook = answer.look
    standing = balance(outlook.view.memory)
    is_own = answer.memory is Remembers.PLAYER
    text = "Now {player} is {standing}." if is_own else "Now the table is {standing}."
    account_state = say(text, player=mention(user_id), standing=standing)
    plain = say("Plain dice: {chance}%.", chance=whole(outlook.odds.plain))
    aside = say("{check} on **{account}**", check=_check_text(outlook), account=escape(outlook.name))
    text = Text(" ".join([plain, account_state, *_hidden(outlook)]))
    blocks = Head(in_percent(whole(outlook.odds.now)), aside=aside), text, picture
    if more is None:
        return Card((*blocks, *details(answer).blocks), tone=Tone.QUIET)
    return Card(blocks, (more,), Tone.QUIET)


def details(answer: AccountAnswer) -> Card:
    """Return the chance after each outcome, the checks passed so far, and the account's rule."""
    outlook = answer.look
    futures = [_after(future, in_details=True) for future in outlook.futures]
    lines = [*futures, *([passed(answer.record)] if answer.record.checks else [])]
    rule = Small(" ".join([f"{escape(tag(outlook.account))}.", say(_NOTE), *_hidden(outlook)]))
    return Card((Text("\n".join(lines)), rule), tone=Tone.QUIET)


def _hidden(outlook: Outlook) -> list[str]:
    """Return the number of hidden checks that are left out, if there are any."""
    hidden = outlook.view.hidden
    singular, plural = "{n} hidden check not shown.", "{n:,} hidden checks not shown."
    return [say_many(singular, plural, hidden)] if hidden else []


def caption(outlook: Outlook) -> tuple[str, str]:
    """Return the chart's title and subtitle."""
    return with_heading(outlook.name, _check_text(outlook).replace("`", "")), say(_NOTE)


def bars(outlook: Outlook) -> list[Bar]:
    """Return the chart's bars: the chance to pass now and after each outcome."""
    rows = [(say("now: {standing}", standing=balance(outlook.view.memory)), outlook.odds.now)]
    rows += [(_after(future), future.odds.now) for future in outlook.futures]
    return [Bar(name, outlook.odds.plain, chance, in_percent(whole(chance))) for name, chance in rows]


def alt(drawn: Sequence[Bar]) -> str:
    """Return the chart's alternative text, at most 1,000 characters."""
    chances = "; ".join(with_heading(bar.face, bar.label) for bar in drawn)
    plain = whole(drawn[0].base)
    return say("The chance to pass, {plain}% with plain dice. {told}.", plain=plain, told=chances)[:1_000]


def _check_text(outlook: Outlook) -> str:
    if outlook.dice == EVEN_DICE:
        return say("An even check")
    text = "{dice} against at most {dc}" if outlook.terms.under else "{dice} against {dc}"
    return say(text, dice=code(outlook.dice), dc=outlook.terms.dc)


def _after(future: Future, *, in_details: bool = False) -> str:
    """Return an outcome and the account's balance after it, and in *Details* the chance of the next check."""
    texts = TEXTS["after"]["degree" if future.degree else "pass" if future.passes else "miss"]
    degree, standing = clean(future.degree, _NAME), balance(future.memory)
    if not in_details:
        return say(texts["chart"], degree=degree, standing=standing)
    return say(texts["line"], degree=escape(degree), standing=standing, chance=whole(future.odds.now))
