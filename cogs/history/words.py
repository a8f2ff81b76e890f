"""Texts of /history: a line of at most 198 characters for each event, newest first."""

from dataclasses import asdict

from bot.campaign.calls import Call
from bot.campaign.events import (
    CallOpened,
    CampaignCreated,
    CampaignRenamed,
    CardChosen,
    CardPlayed,
    CardReturned,
    Event,
    MasterChanged,
    RegisterReset,
    Revealed,
    Rolled,
    RulesSet,
    SessionMarked,
    Undone,
)
from bot.campaign.histories import Beginning, Entry, Page
from bot.campaign.kinds import Kind
from bot.campaign.proof import KeysCommitted, SaltGiven
from bot.words.cards import Card, CardButton, Tone, text_card
from bot.words.games import roller_name, without_game
from bot.words.rolls import brief, own_label
from bot.words.saying import phrase, read_table, say
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
_DEEDS = read_table(__file__, "deeds")
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


def _describe_event(event: Event) -> str:
    """Return the text of an event that is no roll, e.g. "reset `Luck`".

    Cards that were drawn or not played are hidden.
    """
    about, target = code(roller_name(None, event.roller)), event.target
    values: dict[str, object] = {"about": about, "roller": about, "deck": code(event.roller, _NAME_SHOWN)}
    values |= {"target": target, "number": target, "channel_id": event.channel_id}
    match event.body:
        case RulesSet(before=before, after=after):
            olds, news = asdict(before), asdict(after)
            changed = [code(_OPTIONS.get(name, name)) for name, new in news.items() if new != olds[name]]
            values["names"] = first_few(changed, _SETTINGS_SHOWN)
        case RegisterReset(value=value):
            values["value"] = value
        case Undone() | Revealed():
            values["target"] = f"#{target}"
        case CallOpened():
            values["dice"] = code(without_game(Call(event).dice))
        case CardPlayed(results=faces):
            values["card"] = listed(faces, _FACES_SHOWN)
        case CardChosen(choice=choice):
            values["place"] = choice + 1
        case SaltGiven(drand=drand, salt=words):
            values |= {"number": drand and drand[0], "words": code(words, _NAME_SHOWN)}
        case CampaignCreated(name=name) | CampaignRenamed(name=name):
            values["name"] = code(name)
        case _:
            pass
    return put_back(event) if event.kind is Kind.RESTORED else say(_DEEDS[_deed(event)], **values)


def _deed(event: Event) -> str:
    """Return the key of an event's text: its kind, or where a kind has several texts the one that fits."""
    match event.body:
        case RulesSet(before=before, after=after) if before == after:
            return "rules-kept"
        case RegisterReset(draws=drawn) if drawn:
            return "restart-drawn"
        case SessionMarked(mark=mark):
            return mark.value
        case CardReturned(offered=True):
            return "return-offered"
        case KeysCommitted() if event.clock is not None:
            return "commit-again"
        case SaltGiven(drand=drand) if drand:
            return "salt-drand"
        case MasterChanged(named=False):
            return "dismiss"
        case _:
            return event.kind.value
