"""The words of /history: a line of at most 198 characters for each event, the newest first."""

from bot.campaign.events import (
    Body,
    CallCancelled,
    CallClosed,
    CallOpened,
    CallReopened,
    CampaignArchived,
    CampaignCreated,
    CampaignRenamed,
    CampaignUsed,
    CardChosen,
    CardDiscarded,
    CardPlayed,
    CardReturned,
    Event,
    HistoryCut,
    HistoryRestored,
    MasterChanged,
    PersonErased,
    RegisterReset,
    Revealed,
    Rolled,
    RollerMade,
    RollerRemoved,
    RollerReset,
    RulesSet,
    SessionMarked,
    Undone,
)
from bot.campaign.histories import Beginning, Entry, Page
from bot.campaign.kinds import Mark
from bot.campaign.proof import KeysCommitted, KeysDropped, SaltGiven
from bot.words.cards import Card, CardButton, Tone, text_card
from bot.words.games import called
from bot.words.rolls import brief
from bot.words.saying import phrase, say
from bot.words.text import (
    MESSAGE_LIMIT,
    code,
    cut,
    escape,
    event_number,
    footing,
    given_name,
    listed,
    mention,
    put_back,
)

EMPTY = phrase("Nothing here yet. Begin with `/roll 2d6`.")
NONE_SUCH = phrase("Nothing here fits. Leave out the player, the roller or the label.")
_LABEL_SHOWN, _FACES_SHOWN, _NAME_SHOWN = 20, 50, 30
_FEWER_FACES = 25
"""The limit where two more lines must fit."""


def page(shown: Page, *buttons: CardButton) -> Card:
    """Return one page; the last one says where the history begins, if its old part was removed.

    Its foot is the log's checkpoint.
    """
    nothing = say(NONE_SUCH) if shown.checkpoint else say(EMPTY)
    foot = [_beginning(shown.beginning)] if shown.beginning else [] if shown.entries else [nothing]
    if shown.checkpoint:
        foot.append(footing(shown.checkpoint))
    whole = "\n".join([*map(_line, shown.entries), *foot])
    if len(whole) > MESSAGE_LIMIT:
        whole = "\n".join([*(_line(entry, _FEWER_FACES) for entry in shown.entries), *foot])
    return text_card(whole, *buttons, tone=Tone.QUIET)


def _beginning(beginning: Beginning) -> str:
    return "-# " + say(
        "Events up to #{upto:,} were removed on <t:{int}:D> by the campaign's retention of {days:,} days.",
        upto=beginning.upto,
        int=int(beginning.time),
        days=beginning.cut.days,
    )


def _line(entry: Entry, faces: int = _FACES_SHOWN) -> str:
    event = entry.event
    if isinstance(event.body, Rolled):
        text = brief(event, faces, _NAME_SHOWN) if entry.visible else say("*hidden*")
    else:
        text = _deed(event)
    label = f" {cut(given_name(event.label), _LABEL_SHOWN)} ·" if event.label and entry.visible else ""
    if event.character and entry.visible:
        label = f" **{escape(event.character)}** ·{label}"
    who = "Evenhand" if event.interaction_id is None else mention(event.user_id)
    line = f"{event_number(event)} · <t:{int(event.time)}:t> · {who} ·{label} {text}"
    line = say("~~{line}~~ (undone)", line=line) if entry.undone else line
    return say("{line} · many in a short time", line=line) if entry.burst else line


_DEEDS: dict[type[Body], str] = {
    RollerMade: phrase("made or tuned {about}"),
    RollerReset: phrase("reset {about}"),
    RollerRemoved: phrase("removed {about}"),
    CallClosed: phrase("closed the call #{target}"),
    CallReopened: phrase("reopened the call #{target}"),
    CallCancelled: phrase("cancelled the call #{target}"),
    CardDiscarded: phrase("discarded the card of #{number} ({deck})"),
    KeysDropped: phrase("switched proof mode off"),
    CampaignUsed: phrase("plays it in <#{channel_id}>"),
    CampaignArchived: phrase("archived the campaign"),
    RulesSet: phrase("changed the rules"),
    PersonErased: phrase("was taken out of the history"),
    HistoryCut: phrase("removed the events up to #{target}"),
}
"""What events say that are told by their kind, roller, target and channel alone."""


def _deed(event: Event) -> str:
    """Return what an event that is no roll says, e.g. "reset `Luck`".

    The draw of a card is hidden, and so is a card that was not played.
    """
    about, target = code(called(None, event.roller)), event.target
    of = {"number": target, "deck": code(event.roller, _NAME_SHOWN)}
    if told := _DEEDS.get(type(event.body)):
        return say(told, about=about, target=target, channel_id=event.channel_id, **of)
    match event.body:
        case RegisterReset(value=value, draws=drawn):
            told = "reset {roller}: their own, to {value}"
            if drawn:
                told = "reset {roller}: their own, to a random {value}"
            return say(told, roller=about, value=value)
        case (Undone() | Revealed()) as body:
            told = "undid {target}" if isinstance(body, Undone) else "revealed {target}"
            return say(told, target=f"#{target}")
        case SessionMarked(mark=mark):
            return say("began a session") if mark is Mark.START else say("ended the session")
        case CallOpened(dice=dice):
            return say("called for {dice}", dice=code(dice))
        case CardPlayed(results=faces):
            return say("played **{card}** of #{number} ({deck})", card=listed(faces, _FACES_SHOWN), **of)
        case CardReturned(offered=offered):
            other = "put back a card of #{number} ({deck})"
            return say(other if offered else "put back the card of #{number} ({deck})", **of)
        case CardChosen(choice=choice):
            return say("took card {place} of #{number} ({deck})", place=choice + 1, **of)
        case _:
            return _deed_of_campaign(event)


def _deed_of_campaign(event: Event) -> str:
    match event.body:
        case KeysCommitted():
            return (
                say("switched proof mode on") if event.clock is None else say("took new keys for proof mode")
            )
        case SaltGiven(drand=(round_number, _, _)):
            return say("took round {number:,} of drand as salt", number=round_number)
        case SaltGiven(salt=words):
            return say("gave salt: {words}", words=code(words, _NAME_SHOWN))
        case CampaignCreated(name=name):
            return say("made the campaign {name}", name=code(name))
        case CampaignRenamed(name=name):
            return say("named the campaign {name}", name=code(name))
        case MasterChanged(named=named):
            return say("named a game master") if named else say("dismissed a game master")
        case HistoryRestored():
            return put_back(event)
        case _:
            return event.kind.value
