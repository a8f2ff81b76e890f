"""Texts of /history: a line of at most 198 characters for each event, newest first."""

from dataclasses import asdict

from bot.campaign.calls import Call
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
from bot.campaign.proof import KeysCommitted, KeysDropped, KeysShown, SaltGiven
from bot.words.cards import Card, CardButton, Tone, text_card
from bot.words.games import roller_name
from bot.words.rolls import brief, own_label
from bot.words.saying import phrase, say
from bot.words.text import (
    MESSAGE_LIMIT,
    code,
    cut,
    escape,
    event_number,
    first_few,
    footing,
    listed,
    mention,
    put_back,
)

EMPTY = phrase("Nothing here yet. Begin with `/roll 2d6`.")
NONE_SUCH = phrase("Nothing here fits. Leave out the player, the character, the roller or the label.")
_LABEL_SHOWN, _FACES_SHOWN, _NAME_SHOWN, _SETTINGS_SHOWN = 20, 50, 30, 4
_OPTIONS = {"log_channel": "log"}
"""The option of each setting whose name differs from its field's."""
_FEWER_FACES = 25
"""Characters of faces in a page that is otherwise too long."""


def page(content: Page, *buttons: CardButton) -> Card:
    """Return one page; the last one tells where the history begins if its old part was removed.

    The footer is the log's checkpoint.
    """
    nothing = say(NONE_SUCH) if content.checkpoint else say(EMPTY)
    foot = [_beginning(content.beginning)] if content.beginning else [] if content.entries else [nothing]
    if content.checkpoint:
        foot.append(footing(content.checkpoint))
    for faces in (_FACES_SHOWN, _FEWER_FACES):
        whole = "\n".join([*(_line(entry, faces) for entry in content.entries), *foot])
        if len(whole) <= MESSAGE_LIMIT:
            break
    return text_card(whole, *buttons, tone=Tone.QUIET)


def _beginning(beginning: Beginning) -> str:
    return "-# " + say(
        "Entries up to #{upto:,} were removed on <t:{int}:D> by the campaign's retention of {days:,} days.",
        upto=beginning.upto,
        int=int(beginning.time),
        days=beginning.cut.days,
    )


def _line(entry: Entry, faces: int) -> str:
    event = entry.event
    if isinstance(event.body, Rolled):
        text = brief(event, faces, _NAME_SHOWN) if entry.visible else say("*hidden*")
    else:
        text = _describe_event(event)
    own = own_label(event) if entry.visible else ""
    label = f" {cut(own, _LABEL_SHOWN)} ·" if own else ""
    if event.character and entry.visible:
        label = f" **{escape(event.character)}** ·{label}"
    actor = "Evenhand" if event.interaction_id is None else mention(event.user_id)
    line = f"{event_number(event)} · <t:{int(event.time)}:t> · {actor} ·{label} {text}"
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
    KeysShown: phrase("posted the root of the keys of #{target}"),
    CampaignUsed: phrase("plays it in <#{channel_id}>"),
    CampaignArchived: phrase("archived the campaign"),
    PersonErased: phrase("was taken out of the history"),
    HistoryCut: phrase("removed the entries up to #{target}"),
}
"""Texts of events by type, where roller, target and channel are all their values."""


def _describe_event(event: Event) -> str:
    """Return the text of an event that is no roll, e.g. "reset `Luck`".

    Cards that were drawn or not played are hidden.
    """
    about, target = code(roller_name(None, event.roller)), event.target
    values = {"number": target, "deck": code(event.roller, _NAME_SHOWN)}
    if template := _DEEDS.get(type(event.body)):
        return say(template, about=about, target=target, channel_id=event.channel_id, **values)
    match event.body:
        case RegisterReset(value=value, draws=drawn):
            template = "reset {roller}: their own, to {value}"
            if drawn:
                template = "reset {roller}: their own, to a random {value}"
            return say(template, roller=about, value=value)
        case Undone() | Revealed() as body:
            template = "undid {target}" if isinstance(body, Undone) else "revealed {target}"
            return say(template, target=f"#{target}")
        case SessionMarked(mark=mark):
            return say("began a session") if mark is Mark.START else say("ended the session")
        case CallOpened():
            return say("called for {dice}", dice=code(Call(event).dice))
        case CardPlayed(results=faces):
            return say("played **{card}** of #{number} ({deck})", card=listed(faces, _FACES_SHOWN), **values)
        case CardReturned(offered=offered):
            other = "put back a card of #{number} ({deck})"
            return say(other if offered else "put back the card of #{number} ({deck})", **values)
        case CardChosen(choice=choice):
            return say("took card {place} of #{number} ({deck})", place=choice + 1, **values)
        case _:
            return _describe_campaign_event(event)


def _describe_campaign_event(event: Event) -> str:
    match event.body:
        case RulesSet(before=before, after=after):
            olds, news = asdict(before), asdict(after)
            changed = [code(_OPTIONS.get(name, name)) for name, new in news.items() if new != olds[name]]
            if not changed:
                return say("left the settings as they were")
            return say("changed the settings: {names}", names=first_few(changed, _SETTINGS_SHOWN))
        case KeysCommitted():
            is_first = event.clock is None
            return say("switched proof mode on") if is_first else say("took new keys for proof mode")
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
