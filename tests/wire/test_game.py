"""/game and the words of games in /roll: chosen, typed, rolled again, from a file, and never in the way."""

import json
import re
import threading
from typing import Any

import pytest
from discord import InteractionType
from simcord import InteractionResult

from bot.parsing.texts import shipped
from bot.rulebooks.laws import _cached_law, _compute_law
from bot.rulebooks.words import GameRequest
from cogs.kit.replies import CHOOSE, PUSH
from tests.support.groups import text
from tests.support.pressing import arrives
from tests.support.shown import labels
from tests.support.table import Table, numbered
from tests.support.twins import Told
from tests.support.wire import reply

COINS = {
    "key": "coins",
    "name": "Coins",
    "help": "Heads or tails.",
    "rolls": {
        "toss": {
            "help": "heads win",
            "options": {"coins": [1, 9]},
            "dice": [{"pool": "coins", "count": "coins", "faces": ["h", "t"]}],
            "measures": {"heads": {"sum": "h"}},
            "classes": {"tails": "not heads", "heads": ""},
            "show": ["heads"],
        }
    },
    "buttons": ["coins 3"],
}


CLASS = r"\*\*(miss|weak hit|strong hit)\*\* ← 2d6 \("


def told(result: InteractionResult) -> str:
    """Return all that a command answered."""
    messages = [*([result.response] if result.response else []), *result.followups]
    return " ".join(message.content for message in messages)


async def test_a_games_words_are_rolled(t: Table) -> None:
    """Every game answers to its key; once it is played, its rolls answer to their own names."""
    told = await t.says(t.ann, "roll", dice="wod 7 diff 8")
    unknown = await t.whispers(t.ann, "roll", dice="action 2")
    used = await t.says(t.mara, "game use", game="ironsworn")
    action = await t.says(t.ann, "roll", dice="action 2", times=2)

    assert told.startswith(("**botch**", "**failure**", "**success**"))
    assert "← 7d10 (" in told
    assert "\n-# **pool 7 diff 8** · #" in told
    assert "action" in unknown
    assert "plays **Ironsworn and Starforged** now" in used
    assert "**action stat 2**" in action


async def test_dice_may_be_said_as_at_the_table(t: Table) -> None:
    """`d8` is a die of eight, `3d` three dice; a target that nobody gave is told with the roll."""
    assert "**trait 8 plus 2 target 4**" in await t.says(t.ann, "roll", dice="savage d8+2")
    assert "**action 3**" in await t.says(t.ann, "roll", dice="blades 3d")


async def test_numbers_alone_are_offered_as_the_games_roll(t: Table) -> None:
    """Where the game has no usual dice; a button rolls it."""
    for game, typed, said in (
        ("cthulhu", "45", "skill 45"),
        ("fate", "+2", "fate +2"),
        ("pbta", "+2", "move +2"),
        ("vampire", "6 2", "pool 6 2"),
    ):
        await t.says(t.mara, "game use", game=game)
        asked = await t.slash(t.ann, "roll", dice=typed)

        assert f"Did you mean `{said}`?" in reply(asked).content, typed
        assert "d20" not in reply(asked).content, typed
        assert "·" in reply(await t.press(asked, f"Roll {said}", t.ann)).content, typed


async def test_numbers_with_an_option_are_the_games_first_roll(t: Table) -> None:
    """They can mean nothing else there; in a game with usual dice a number is a bonus."""
    for game, typed, rolled in (
        ("vampire", "6 hunger 2", "pool 6 hunger 2 diff 1"),
        ("vampire", "7d10 hunger 2", "pool 7 hunger 2 diff 1"),
        ("wod", "5d10 difficulty 7", "pool 5 diff 7"),
        ("cthulhu", "50 2 bonus", "skill 50 bonus 2"),
        ("cthulhu", "50 hard", "skill 50 hard"),
        ("shadowrun", "12 threshold 3", "test 12 need 3"),
        ("pbta", "+2 boon", "move +2 boon"),
        ("warhammer", "45 hard", "test 45 hard"),
    ):
        await t.says(t.mara, "game use", game=game)
        assert f"\n-# **{rolled}** · #" in await t.says(t.ann, "roll", dice=typed), typed

    await t.says(t.mara, "game use", game="dnd5")
    assert "← 2d20kh1 (" in await t.says(t.ann, "roll", dice="+5 adv")


async def test_the_number_that_judged_stands_in_the_head(t: Table) -> None:
    """Without a target the answer is the total; with one the class, and both numbers; damage if it hits."""
    plain = await t.says(t.ann, "roll", dice="dnd5 attack +5")
    hit = await t.says(t.ann, "roll", dice="dnd5 attack +25 2d1+3 ac 5")
    asked = await t.slash(t.ann, "odds", what="dnd5 attack +25 2d1+3 ac 5", at_least=6)
    odds = await t.pressed(asked, "Details", t.ann)

    assert plain.partition("**")[2].partition("**")[0].isdecimal()
    assert "**attack +5** · #" in plain
    assert " vs AC 5: " in hit
    assert ("damage" in hit) == ("miss" not in hit)
    assert "Damage: mean 4.85" in odds
    assert "6 or more: 5.0" in odds


async def test_a_word_that_is_missing_is_named(t: Table) -> None:
    """A roll without its number, with one too many, or out of range is refused with how it is typed."""
    missing = await t.whispers(t.ann, "roll", dice="wod")
    assert "needs dice. Type `wod pool DICE [diff 6] [specialty] [willpower]`" in missing
    assert "9 is one number too many" in await t.whispers(t.ann, "roll", dice="wod 5 6 9")
    assert "has no 'dx'" in await t.whispers(t.ann, "roll", dice="wod 5 dx 6")
    assert "diff is 2 to 10, not 11." in await t.whispers(t.ann, "roll", dice="wod 5 diff 11")
    assert "That has no dice. Type `genesys" in await t.whispers(t.ann, "roll", dice="genesys")


async def test_what_is_said_to_be_typed_can_be(t: Table) -> None:
    """The example of a game that is played now is rolled as it stands there."""
    for game in shipped():
        used = await t.says(t.mara, "game use", game=game)
        example = used.partition("Type `/roll ")[2].partition("`")[0]
        assert "·" in await t.says(t.ann, "roll", dice=example), game


async def test_a_roller_and_a_saved_roll_go_before_a_game(t: Table) -> None:
    """A name that somebody gave is never hidden by a game's word."""
    await t.says(t.mara, "game use", game="pbta")
    await t.press(await t.slash(t.ann, "save", name="move", dice="1d1+41"), "Save it", t.ann)
    await t.says(t.mara, "roller fair", name="wod", dice="2d6")

    assert "**42**" in await t.says(t.ann, "roll", dice="move")
    assert "fair 2d6" in await t.says(t.ann, "roll", dice="wod")
    await t.whispers(t.ann, "save", name="hit", dice="wod")
    assert "fair 2d6" in await t.says(t.ann, "roll", dice="hit")


async def test_the_chosen_notation_goes_before_a_game(t: Table) -> None:
    """What the campaign's dialect reads is dice, also where a game has the word; the rest is the game's."""
    await t.says(t.mara, "game use", game="dnd5")
    assert "**attack +5 ac 15**" in await t.says(t.ann, "roll", dice="attack 5 ac 15")
    await t.says(t.mara, "campaign dialect", program="dicemaiden")
    assert "1d20 (" in await t.says(t.ann, "roll", dice="attack +5")
    assert "**attack +5 ac 15**" in await t.says(t.ann, "roll", dice="attack 5 ac 15")


async def test_checks_and_calls_take_a_games_words(t: Table) -> None:
    """A class needs no DC and takes none, a number is held against one, and players roll their own words."""
    await t.says(t.mara, "game use", game="pbta")
    check = await t.slash(t.ann, "check", dice="move 1")
    call = await t.slash(t.mara, "group call", check="Act", dice="move 1")
    alone = reply(await t.press(call, "Roll", t.ann)).content
    form = await t.press(call, "+ bonus…", t.bob)
    added = reply(await t.bob.submit_modal(form, {"added": "+1"})).content
    form = await t.press(call, "+ bonus…", t.bob)
    other = reply(await t.bob.submit_modal(form, {"added": "move 5"})).content
    npcs = (await t.says(t.mara, "group npc", dice="move 4", count=2, names="Orc")).splitlines()

    assert re.match(CLASS, reply(check).content)
    assert "**move +1**" in reply(await t.press(check, "Again", t.ann)).content
    assert re.match(CLASS, alone)
    assert added.endswith("so you can't add to it. Type the words of your own roll instead.")
    assert "**move +5**" in other
    assert re.match("Orc 2 " + CLASS, npcs[1])
    for name, options in (
        ("check", {"dc": 10}),
        ("group call", {"check": "Act", "dc": 10}),
        ("group call", {"check": "Act", "rule": "sum"}),
        ("group initiative", {}),
    ):
        refused = await t.whispers(t.mara, name, dice="move 1", **options)
        assert refused.startswith("pbta move stat 1 shows no number to compare"), name
    passed = await t.says(t.ann, "check", dice="hero body 3", dc=0)
    assert re.match(r"\*\*[0-6] body\*\* ", passed)
    assert "Passes by" in passed


async def test_the_board_shows_what_a_game_tells(t: Table) -> None:
    """A class stands there with its dice; a call whose game is played no more is refused, and can be left."""
    await t.slash(t.mara, "game import", file=("coins.json", json.dumps(COINS).encode()))
    call = await t.slash(t.mara, "group call", check="Luck", dice="toss 2")
    await t.press(call, "Roll", t.ann)
    await t.says(t.mara, "game stop")
    gone = reply(await t.press(call, "Roll", t.bob))

    assert re.search(r"\*\*(heads|tails)\*\* ← coins \([ht], [ht]\)", text(call))
    assert "The roller coins toss 2 is not here any more" in gone.content


async def test_a_game_is_chosen_from_the_list(t: Table) -> None:
    """The list becomes the game's rolls; who leads plays it from there, and then its keys are at hand."""
    listed = await t.slash(t.mara, "game list")
    await t.mara.select(reply(listed), ["fate"], custom_id="games:0")
    offered = reply(await t.slash(t.ann, "game show", game="fate"))
    used = await t.pressed(listed, "Play it here", t.mara)
    again = await t.slash(t.ann, "game show")

    assert "`fate roll SKILL [diff N]`" in reply(listed).content
    assert labels(offered.components) == []
    assert used.startswith("This campaign plays **Fate")
    assert "`fate SKILL [diff N]`" in reply(again).content
    assert labels(reply(again).components)[0] == "fate 0"


async def test_a_game_from_a_file(t: Table) -> None:
    """A file's game is played at once; a fault in it is told with its place, and changes nothing."""
    wrong = json.loads(json.dumps(COINS))
    wrong["rolls"]["toss"]["measures"]["heads"] = {"sum": "head"}
    refused = await t.slash(t.mara, "game import", file=("coins.json", json.dumps(wrong).encode()))
    brought = await t.slash(t.mara, "game import", file=("coins.json", json.dumps(COINS).encode()))
    *_, public = brought.followups
    toss = await t.says(t.ann, "roll", dice="toss 3")

    assert "'head' uses head, which is not known here" in told(refused)
    assert "plays **Coins**" in public.content
    assert not public.ephemeral
    assert "**toss 3**" in toss
    await t.says(t.mara, "game stop")
    assert "toss" in await t.whispers(t.ann, "roll", dice="toss 3")


async def test_a_games_keys_can_be_rolled(t: Table) -> None:
    """A file is refused whose button would be refused when somebody presses it."""
    for button, reason in (("coins 99", "coins is 1 to 9, not 99"), ("toss 3", "does not begin with coins")):
        wrong = json.dumps({**COINS, "buttons": ["coins 3", button]}).encode()
        refused = await t.slash(t.mara, "game import", file=("coins.json", wrong))

        assert reason in told(refused), button

    assert "No game is played here." in await t.whispers(t.ann, "game list")


async def test_no_game_is_not_stopped(t: Table) -> None:
    """Nobody is told of the end of what did not begin, and no entry is made."""
    await t.says(t.mara, "roll", dice="1d6")
    refused = await t.whispers(t.mara, "game stop")
    await t.says(t.mara, "game use", game="fate")
    stopped = await t.says(t.mara, "game stop")

    assert refused == "No game is played here. A game master chooses one with `/game use`."
    assert stopped.startswith("No game is played here any more.")
    assert "No game is played here." in await t.whispers(t.mara, "game stop")


async def test_the_odds_of_every_class(t: Table) -> None:
    """/odds takes a game's words and tells the chance of each class of outcome."""
    result = await t.slash(t.ann, "odds", what="pbta +1")
    more = await t.pressed(result, "Details", t.bob)

    assert told(result).startswith("**72.2%** · weak hit or better on `move +1`")
    assert more.startswith("`move +1`\n")
    assert "weak hit     44.4%" in more


async def test_whole_words_stand_first_in_the_list(t: Table) -> None:
    """What reads as a game's roll is offered as it was typed, and a game's word brings its rolls."""
    assert (await t.offered(t.ann, "roll", "dice", "wod 4 diff 7"))[0] == "wod 4 diff 7"
    assert "wod 5" in await t.offered(t.ann, "roll", "dice", "wod")


async def test_every_game_is_rolled_with_the_most_dice(t: Table) -> None:
    """Every option as high as it goes, also where exact odds would take too long; every judgement holds."""
    await t.slash(t.mara, "session start")
    for game in shipped().values():
        for roll in game.rolls:
            most = tuple((o.name, o.high - (o.name == "damage_die2")) for o in roll.options)
            words = GameRequest(game, roll, most).words
            assert numbered(await t.says(t.ann, "roll", dice=words)), words
    beyond = "cortex 6 6 6 6 6 diff 9"
    assert "take too long" in await t.whispers(t.ann, "odds", what=beyond)
    assert "hitch" in await t.says(t.ann, "roll", dice=beyond)
    said = {name: told(await t.slash(t.ann, name)) for name in ("stats", "rigged", "verify")}
    said["recap"] = told(await t.slash(t.mara, "session end"))

    assert {name: text for name, text in said.items() if "too long" in text or "fault" in text} == {}
    assert "check out" in said["verify"], said


async def test_nobody_waits_for_odds(t: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game's law may take half a second: it is worked out beside the bot's loop."""
    threads: list[threading.Thread] = []

    def noted(*asked: Any) -> Any:
        threads.append(threading.current_thread())
        return _compute_law(*asked)

    _cached_law.cache_clear()
    monkeypatch.setattr("bot.rulebooks.laws._compute_law", noted)
    words = "savage attack 12 20d12"
    first = await t.slash(t.ann, "odds", what=words)
    await t.press(first, "Details", t.ann)
    for more in ({"at_least": 5}, {"versus": words}, {"after": "hit"}, {"tightness": "1, 2"}):
        await t.slash(t.ann, "odds", what="2d6" if "versus" in more else words, **more)

    assert threads
    assert threading.main_thread() not in threads


async def test_a_push_tells_nothing_of_a_blind_roll(t: Table) -> None:
    """Whether it can be pushed hangs on its dice, so who may not see them is told the same for each face."""
    draws = Told()
    t.app._store.writer._transactions.open_draws = draws.open
    answers: set[str] = set()
    for face in range(6):
        draws.tape = [face]
        rolled = reply(await t.slash(t.ann, "roll", dice="yearzero 1", visibility="blind"))
        push = PUSH.custom_id.write(1, numbered(rolled.content))
        pressed = reply(await arrives(t, t.ann, InteractionType.component, push, rolled))
        answers.add(pressed.content.replace(f"#{face + 1} ", ""))

    assert answers == {"is hidden from you. Who may see it can reveal it."}


async def test_a_roll_is_pushed_by_who_rolled_it(t: Table) -> None:
    """A push throws again what the game says, with what stays; another player's press is refused."""
    first = await t.slash(t.ann, "roll", dice="yearzero roll 20")
    refused = reply(await t.press(first, "Push", t.bob))
    second = reply(await t.press(first, "Push", t.ann))
    twice = reply(await t.press(first, "Push", t.ann))
    asked = await t.press(first, "Choose dice…", t.ann)
    chosen = reply(await t.ann.select(reply(asked), ["0"]))

    assert {twice.content, chosen.content} == {"You did that with #1 already: see #2."}
    dice = re.findall(r"\d", reply(first).content.split("(")[1].split(")")[0])
    again = [face for face in dice if face not in "16"]
    assert refused.content == "Only the player who rolled can push that roll."
    assert f"**push {len(again)} " in second.content
    assert "pushes #1" in second.content
    assert "pushes #1" in await t.whispers(t.ann, "history")
    assert len(re.findall(r"\d", second.content.split("(")[1].split(")")[0])) == len(again)


async def test_dice_are_chosen_after_the_roll(t: Table) -> None:
    """Who rolled gets a list of the dice; what they choose is thrown again, and the others stay."""
    first = await t.slash(t.ann, "roll", dice="savage 8")
    refused = reply(await t.press(first, "Choose dice…", t.bob))
    asked = await t.press(first, "Choose dice…", t.ann)
    second = reply(await t.ann.select(reply(asked), ["0"]))

    assert refused.content == "Only the player who rolled can choose its dice."
    assert reply(asked).content == "Which dice do you throw again?"
    assert [option["value"] for option in _menu(asked)["options"]] == ["0", "1"]
    assert "pushes #1" in second.content
    assert _wild(second.content) == _wild(reply(first).content)
    assert not second.ephemeral
    assert "Choose dice…" not in str(second.components)


async def test_what_is_thrown_again_has_an_end(t: Table) -> None:
    """Willpower in Vampire takes three dice, and none of hunger."""
    first = await t.slash(t.ann, "roll", dice="vampire 7 hunger 2")
    asked = await t.press(first, "Choose dice…", t.ann)

    assert reply(asked).content == "Which dice do you throw again? Choose up to 3."
    assert (_menu(asked)["max_values"], len(_menu(asked)["options"])) == (3, 5)


async def test_what_is_kept_has_an_end(t: Table) -> None:
    """Where the game keeps dice, no more can be chosen; the others go."""
    first = await t.slash(t.ann, "roll", dice="l5r 1 3")
    asked = await t.press(first, "Choose dice…", t.ann)
    second = reply(await t.ann.select(reply(asked), ["2"]))

    assert reply(asked).content == "Which dice do you keep? Choose up to 1. The others go."
    assert (_menu(asked)["max_values"], len(_menu(asked)["options"])) == (1, 4)
    assert "skill dice (" in second.content
    assert "ring dice (" not in second.content


async def test_a_blind_roll_shows_no_dice_to_choose_from(t: Table) -> None:
    """Who may not see it learns nothing by an id that their own client makes up."""
    blind = await t.slash(t.ann, "roll", dice="savage 8", visibility="blind")
    kind, custom_id = InteractionType.component, CHOOSE.custom_id.write(1, 1)
    refused = reply(await arrives(t, t.ann, kind, custom_id, reply(blind)))

    assert refused.content == "Only the player who rolled can choose its dice."


def _menu(asked: InteractionResult) -> Any:
    [_, row] = reply(asked).components
    return row["components"][0]


def _wild(content: str) -> str:
    return content.split("wild ")[1].split(")", maxsplit=1)[0]
