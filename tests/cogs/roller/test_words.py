import pytest

from bot.campaign.campaigns import Remembers, Roller
from bot.campaign.command import Command
from bot.campaign.roller_commands import MakeRoller, RemoveRoller, ResetRoller, UndoRoller
from bot.campaign.rolls import RollDice
from bot.dice.draws import seeded
from bot.systems.registry import print_spec
from bot.words.cards import plain
from bot.words.systems import roller_made as made
from cogs.roller.words import NONE_YET, confirm_reset, listing, removed, reset, undone
from tests.support.play import PLAYER, Campaign
from tests.support.systems import make

FAIR = make("fair", tightness="1.5")


def said(*commands: Command) -> tuple[str, Campaign]:
    """The small line under the last of these commands, and the campaign."""
    campaign = Campaign()
    for command in commands:
        campaign.ask(command, seeded(0))
    event = campaign.events[-1]
    return f"\n-# #{event.seq}", campaign


def test_what_a_new_roller_is_is_said_openly() -> None:
    """Its name, its rule, whose memory it is, and how to roll it."""
    small, campaign = said(MakeRoller("Evil", FAIR))

    assert made(campaign.events[-1], FAIR) == (
        f"**Evil** is ready: fair 2d6, tightness 1.5, shared by the table. Roll it with `/roll Evil`.{small}"
    )


def test_plain_dice_say_nothing_of_a_memory() -> None:
    """A roller without a memory has none to speak of."""
    small, campaign = said(MakeRoller("hit", make("dice", "d20+5")))

    assert made(campaign.events[-1], make("dice", "d20+5")) == (
        f"**hit** is ready: plain dice 1d20+5. Roll it with `/roll hit`.{small}"
    )


def test_tuning_is_told_from_making() -> None:
    """A roller that is there is tuned; one that was removed is made anew."""
    again = MakeRoller("evil", FAIR, Remembers.PLAYER)
    _, tuned = said(again, again)
    _, remade = said(again, RemoveRoller("evil"), again)

    assert made(tuned.events[-1], FAIR).startswith("**evil** changed: fair 2d6")
    assert made(remade.events[-1], FAIR).startswith("**evil** is ready: fair 2d6")
    assert "each player's own" in made(remade.events[-1], FAIR)


def test_resets_and_removals_name_who_did_them() -> None:
    """Who did it to what is said, and how to take it back."""
    small, campaign = said(MakeRoller("evil", FAIR), ResetRoller("evil"))
    assert reset(campaign.events[-1]) == f"<@{PLAYER}> reset `evil`: it starts afresh.{small}"
    small, campaign = said(MakeRoller("evil", FAIR), RemoveRoller("evil"))

    assert removed(campaign.events[-1]) == (
        f"<@{PLAYER}> removed `evil`. `/roller undo evil` brings it back.{small}"
    )
    assert plain(confirm_reset(campaign.rollers["evil"], 1)).startswith("Reset `evil`? It forgets every roll")


@pytest.mark.parametrize(
    ("request_", "deed"),
    [
        (RollDice("evil"), f"<@{PLAYER}>'s roll"),
        (MakeRoller("evil", FAIR), "making or changing it"),
        (ResetRoller("evil"), "the reset"),
        (RemoveRoller("evil"), "the removal"),
    ],
)
def test_an_undo_says_what_it_took_back(request_: Command, deed: str) -> None:
    """Who undid which event of what kind."""
    small, campaign = said(MakeRoller("evil", FAIR), request_, UndoRoller("evil"))
    undo = campaign.events[-1]

    assert undone(undo, campaign.events[1]) == (
        f"<@{PLAYER}> undid #2, {deed}. `evil` is as it was before.{small}"
    )
    assert undone(undo, None).startswith(f"<@{PLAYER}> undid #2. `evil`")


def test_rollers_are_listed() -> None:
    """A line each with the rule and whose memory it is; removed ones are left out; none is said so."""
    rollers = [
        Roller("a", print_spec(FAIR), Remembers.PLAYER, 1),
        Roller("b", print_spec(make("dice", "2d6*2*3")), Remembers.TABLE, 2),
        Roller("c", "", Remembers.TABLE, 3),
    ]

    assert plain(listing(rollers)).splitlines() == [
        "**Rollers**",
        "**a** · fair 2d6, tightness 1.5, each player's own",
        "**b** · plain dice 2d6\\*2\\*3",
    ]
    assert [press.values for press in listing(rollers).below(5)] == [(1, "u", "a"), (1, "u", "b")]
    assert plain(listing(rollers[2:])) == plain(listing([])) == NONE_YET


@pytest.mark.parametrize("base", ["2d6", "d6" + "*1" * 97])
def test_a_hundred_rollers_fit_a_message(base: str) -> None:
    """Of more rollers than fit, the first are listed, and how many more there are."""
    text = plain(listing([Roller("n" * 32, print_spec(make("fair", base)), Remembers.PLAYER, 1)] * 100))

    assert len(text) <= 2_000
    shown = text.count(" · fair")
    assert text.endswith(f"… and {100 - shown} more")
