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
from bot.campaign.hands import CardChosen, CardDiscarded, CardPlayed, CardReturned
from bot.campaign.histories import Beginning, Entry, Page
from bot.campaign.kinds import Mark
from bot.campaign.proof import KeysCommitted, KeysDropped, SaltGiven
from bot.words.cards import Card, CardButton, Tone, said
from bot.words.rolls import brief
from bot.words.saying import say
from bot.words.text import MESSAGE_LIMIT, code, escape, footing, listed, mention, number, put_back

EMPTY = "Nothing here yet. Begin with `/roll 2d6`."
NONE_SUCH = "Nothing here fits. Leave out the player, the roller or the label."
_LABEL_SHOWN, _FACES_SHOWN, _NAME_SHOWN = 20, 50, 30
_FEWER_FACES = 25
"""The limit where two more lines must fit."""


def page(shown: Page, *buttons: CardButton) -> Card:
    """Return one page; the last one says where the history begins, if its old part was removed.

    Its foot is the log's checkpoint.
    """
    nothing = NONE_SUCH if shown.checkpoint else EMPTY
    foot = [_beginning(shown.beginning)] if shown.beginning else [] if shown.entries else [nothing]
    if shown.checkpoint:
        foot.append(footing(shown.checkpoint))
    whole = "\n".join([*map(_line, shown.entries), *foot])
    if len(whole) > MESSAGE_LIMIT:
        whole = "\n".join([*(_line(entry, _FEWER_FACES) for entry in shown.entries), *foot])
    return said(whole, *buttons, tone=Tone.QUIET)


def _beginning(beginning: Beginning) -> str:
    return (
        f"-# Events up to #{beginning.upto:,} were removed on <t:{int(beginning.time)}:D> by the campaign's "
        f"retention of {beginning.cut.days:,} days."
    )


def _line(entry: Entry, faces: int = _FACES_SHOWN) -> str:
    event = entry.event
    if isinstance(event.body, Rolled):
        text = brief(event, faces, _NAME_SHOWN) if entry.visible else "*hidden*"
    else:
        text = _deed(event)
    label = f" {code(event.label, _LABEL_SHOWN)}" if event.label and entry.visible else ""
    if event.character and entry.visible:
        label = f" **{escape(event.character)}** ·{label}"
    who = "Evenhand" if event.interaction_id is None else mention(event.user_id)
    line = f"{number(event)} · <t:{int(event.time)}:t> · {who} ·{label} {text}"
    line = f"~~{line}~~ (undone)" if entry.undone else line
    return say("{line} · many in a short time", line=line) if entry.burst else line


def _deed(event: Event) -> str:
    """Return what an event that is no roll says, e.g. "reset `Luck`"."""
    about, target = code(event.roller), f"#{event.target}"
    match event.body:
        case RollerMade():
            return f"made or tuned {about}"
        case RollerReset():
            return f"reset {about}"
        case RegisterReset(value=value, draws=drawn):
            return f"reset {about}: their own, to {'a random ' * bool(drawn)}{value}"
        case RollerRemoved():
            return f"removed {about}"
        case Undone():
            return f"undid {target}"
        case Revealed():
            return f"revealed {target}"
        case SessionMarked(mark=mark):
            return "began a session" if mark is Mark.START else "ended the session"
        case CallOpened(dice=dice):
            return f"called for {code(dice)}"
        case body:
            return (
                _deed_of_card(body)
                or _deed_of_call(body)
                or _deed_of_proof(event)
                or _deed_of_campaign(event)
            )


def _deed_of_card(body: Body) -> str:
    """Return what became of a card; the draw is hidden, and so is a card that was not played."""
    of = f" of #{body.target} ({code(body.roller, _NAME_SHOWN)})"
    match body:
        case CardPlayed(results=faces):
            return f"played **{listed(faces, _FACES_SHOWN)}**{of}"
        case CardDiscarded():
            return f"discarded the card{of}"
        case CardReturned():
            return f"put back {'a' if body.offered else 'the'} card{of}"
        case CardChosen(choice=choice):
            return f"took card {choice + 1}{of}"
        case _:
            return ""


def _deed_of_call(body: Body) -> str:
    match body:
        case CallClosed():
            return f"closed the call #{body.target}"
        case CallReopened():
            return f"reopened the call #{body.target}"
        case CallCancelled():
            return f"cancelled the call #{body.target}"
        case _:
            return ""


def _deed_of_proof(event: Event) -> str:
    match event.body:
        case KeysCommitted():
            return "switched proof mode on" if event.clock is None else "took new keys for proof mode"
        case SaltGiven(drand=(number, _, _)):
            return f"took round {number:,} of drand as salt"
        case SaltGiven(salt=words):
            return f"gave salt: {code(words, _NAME_SHOWN)}"
        case KeysDropped():
            return "switched proof mode off"
        case _:
            return ""


def _deed_of_campaign(event: Event) -> str:
    match event.body:
        case CampaignCreated(name=name):
            return f"made the campaign {code(name)}"
        case CampaignUsed():
            return f"plays it in <#{event.channel_id}>"
        case CampaignRenamed(name=name):
            return f"named the campaign {code(name)}"
        case CampaignArchived():
            return "archived the campaign"
        case MasterChanged(named=named):
            return f"{'named' if named else 'dismissed'} a game master"
        case RulesSet():
            return "changed the rules"
        case PersonErased():
            return "was taken out of the history"
        case HistoryRestored():
            return put_back(event)
        case HistoryCut():
            return f"removed the events up to #{event.target}"
        case _:
            return event.kind.value
