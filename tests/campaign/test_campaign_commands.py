"""What is done with a campaign itself: decided and folded, or refused."""

from dataclasses import replace

import pytest

from bot.campaign.campaign_commands import (
    ArchiveCampaign,
    ChangeMaster,
    CreateCampaign,
    RenameCampaign,
    SetRules,
    UseCampaign,
)
from bot.campaign.campaigns import Campaign, Master, MasterKind, Rules
from bot.campaign.command import Caller, Plain, decide
from bot.campaign.events import CampaignRenamed, Event, MasterChanged, RulesSet
from bot.campaign.state import State, evolve
from bot.dice.draws import seeded
from bot.dice.errors import DiceError, SpecError, Unknown
from bot.record.ledger import Ledger
from tests.support.play import Local

CALLER = Caller(1 << 22, 9, 7, 42)
OWN = State(campaign=Campaign(home=9, own=True), played=True)
KEEP = State(campaign=Campaign("Keep", home=9), masters=frozenset({Master(MasterKind.USER, 42)}))
NEW = State(campaign=Campaign(home=9))
OTHERS = replace(NEW, local_masters=frozenset({Master(MasterKind.USER, 5)}))
"""Others lead what is played where the caller asks."""


def ask(state: State, command: Plain, *, manages: bool = True) -> tuple[State, Event]:
    """The state after a command, and its event."""
    caller = replace(CALLER, manages=manages)
    body = decide(command, caller, state, lambda: Local(seeded(0)))
    event = Ledger(1, "", bytes(32)).append(caller, command.options, body, bytes(32)).event
    return evolve(state, event), event


def test_the_channel_s_own_campaign_becomes_one_with_a_name() -> None:
    """Who makes it is its game master, and it is played where it was asked unless that was not wanted."""
    body, _ = ask(OWN, CreateCampaign("Keep", fresh=False))
    elsewhere, _ = ask(OTHERS, CreateCampaign("Keep", fresh=True), manages=False)

    assert body.campaign == Campaign("Keep", home=9, own=False)
    assert body.masters == {Master(MasterKind.USER, 42)}
    assert (body.played, elsewhere.played) == (True, False)


def test_a_campaign_with_a_name_is_not_taken_along() -> None:
    """Where one is played already, another takes nothing along: it begins afresh, or is refused."""
    for campaign in (Campaign("Keep", home=9), Campaign("Keep", home=9, own=True)):
        with pytest.raises(DiceError, match="Keep is played here and stays as it is"):
            CreateCampaign("Tower", fresh=False).decide(CALLER, State(campaign, played=True))

    body, _ = ask(NEW, CreateCampaign("Tower", fresh=True))
    assert body.campaign.name == "Tower"


def test_a_campaign_is_archived_and_comes_back() -> None:
    """Archived it is played nowhere, and using it brings it back."""
    used, _ = ask(KEEP, UseCampaign(1))
    archived, _ = ask(used, ArchiveCampaign(1))
    back, _ = ask(archived, UseCampaign(1))

    assert (used.played, archived.played, back.played) == (True, False, True)
    assert (archived.campaign.archived, back.campaign) == (True, used.campaign)


def test_names_and_rules_say_what_they_were_before() -> None:
    """So that a history tells what was changed."""
    renamed, name = ask(KEEP, RenameCampaign(1, "Tower"))
    ruled, rules = ask(renamed, SetRules(1, {"pace": 3}))

    assert name.body == CampaignRenamed(name="Tower", before="Keep")
    assert rules.body == RulesSet(before=Rules(), after=Rules(pace=3))
    assert ruled.campaign == Campaign("Tower", home=9, rules=Rules(pace=3))


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("kind", MasterKind)
def test_of_a_game_master_only_a_role_is_on_record(kind: MasterKind, named: bool) -> None:  # noqa: FBT001 (pytest's)
    """A person can be erased later, so that the event does not say who they are."""
    master = Master(kind, 5)
    before = KEEP if named else replace(KEEP, masters=frozenset({master}))
    state, event = ask(before, ChangeMaster(1, master, named))

    assert (master in state.masters) is named
    assert event.body == MasterChanged(named=named, who=kind, role=5 if kind is MasterKind.ROLE else None)


@pytest.mark.parametrize(
    ("state", "command", "kind", "words"),
    [
        (
            replace(NEW, is_name_taken=True),
            CreateCampaign("Keep", fresh=True),
            SpecError,
            "There is a campaign Keep here",
        ),
        (OWN, CreateCampaign("", fresh=False), SpecError, "A campaign needs a name"),
        (
            replace(NEW, is_name_taken=True),
            RenameCampaign(1, "Keep"),
            SpecError,
            "There is a campaign Keep here",
        ),
        (KEEP, RenameCampaign(1, ""), SpecError, "A campaign needs a name"),
        (State(campaign=Campaign("Keep", home=8)), UseCampaign(1), Unknown, "belongs to another place"),
        (OWN, UseCampaign(None), DiceError, "already play that campaign"),
        (OWN, ArchiveCampaign(None), DiceError, "the channel's own campaign, and it stays"),
        (
            replace(KEEP, campaign=Campaign("Keep", home=9, archived=True)),
            ArchiveCampaign(1),
            DiceError,
            "archived already",
        ),
    ],
)
def test_what_can_not_be_done_is_refused(
    state: State, command: Plain, kind: type[DiceError], words: str
) -> None:
    """Each has a sentence of its own."""
    with pytest.raises(kind, match=words):
        ask(state, command)
