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
from bot.words.cards import Card, CardButton, Tone, said
from bot.words.rolls import brief
from bot.words.saying import phrase, say
from bot.words.text import (
    MESSAGE_LIMIT,
    code,
    cut,
    escape,
    footing,
    given_name,
    listed,
    mention,
    number,
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
    return said(whole, *buttons, tone=Tone.QUIET)


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
    line = f"{number(event)} · <t:{int(event.time)}:t> · {who} ·{label} {text}"
    line = say("~~{line}~~ (undone)", line=line) if entry.undone else line
    return say("{line} · many in a short time", line=line) if entry.burst else line


def _deed(event: Event) -> str:
    """Return what an event that is no roll says, e.g. "reset `Luck`"."""
    about, target = code(event.roller), f"#{event.target}"
    match event.body:
        case RollerMade():
            return say("made or tuned {about}", about=about)
        case RollerReset():
            return say("reset {about}", about=about)
        case RegisterReset(value=value, draws=drawn):
            told = (
                "reset {roller}: their own, to a random {value}"
                if drawn
                else "reset {roller}: their own, to {value}"
            )
            return say(told, roller=about, value=value)
        case RollerRemoved():
            return say("removed {about}", about=about)
        case Undone():
            return say("undid {target}", target=target)
        case Revealed():
            return say("revealed {target}", target=target)
        case SessionMarked(mark=mark):
            return say("began a session") if mark is Mark.START else say("ended the session")
        case CallOpened(dice=dice):
            return say("called for {dice}", dice=code(dice))
        case body:
            return (
                _deed_of_card(body)
                or _deed_of_call(body)
                or _deed_of_proof(event)
                or _deed_of_campaign(event)
            )


def _deed_of_card(body: Body) -> str:
    """Return what became of a card; the draw is hidden, and so is a card that was not played."""
    of = {"number": body.target, "deck": code(body.roller, _NAME_SHOWN)}
    match body:
        case CardPlayed(results=faces):
            return say("played **{card}** of #{number} ({deck})", card=listed(faces, _FACES_SHOWN), **of)
        case CardDiscarded():
            return say("discarded the card of #{number} ({deck})", **of)
        case CardReturned():
            other = "put back a card of #{number} ({deck})"
            return say(other if body.offered else "put back the card of #{number} ({deck})", **of)
        case CardChosen(choice=choice):
            return say("took card {place} of #{number} ({deck})", place=choice + 1, **of)
        case _:
            return ""


def _deed_of_call(body: Body) -> str:
    match body:
        case CallClosed():
            return say("closed the call #{target}", target=body.target)
        case CallReopened():
            return say("reopened the call #{target}", target=body.target)
        case CallCancelled():
            return say("cancelled the call #{target}", target=body.target)
        case _:
            return ""


def _deed_of_proof(event: Event) -> str:
    match event.body:
        case KeysCommitted():
            return (
                say("switched proof mode on") if event.clock is None else say("took new keys for proof mode")
            )
        case SaltGiven(drand=(number, _, _)):
            return say("took round {number:,} of drand as salt", number=number)
        case SaltGiven(salt=words):
            return say("gave salt: {words}", words=code(words, _NAME_SHOWN))
        case KeysDropped():
            return say("switched proof mode off")
        case _:
            return ""


def _deed_of_campaign(event: Event) -> str:
    match event.body:
        case CampaignCreated(name=name):
            return say("made the campaign {name}", name=code(name))
        case CampaignUsed():
            return say("plays it in <#{channel_id}>", channel_id=event.channel_id)
        case CampaignRenamed(name=name):
            return say("named the campaign {name}", name=code(name))
        case CampaignArchived():
            return say("archived the campaign")
        case MasterChanged(named=named):
            return say("named a game master") if named else say("dismissed a game master")
        case RulesSet():
            return say("changed the rules")
        case PersonErased():
            return say("was taken out of the history")
        case HistoryRestored():
            return put_back(event)
        case HistoryCut():
            return say("removed the events up to #{target}", target=event.target)
        case _:
            return event.kind.value
