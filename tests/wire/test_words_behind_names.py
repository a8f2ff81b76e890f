"""Words behind names that change dice or hide a roll, numbers before dice, and removed rollers."""

from tests.support.shown import labels
from tests.support.table import Table
from tests.support.wire import reply

BLESSED = ["1d20+stealth+1d4 # bless", "1d20+stealth # bless"]


async def test_words_that_change_dice_are_asked_about_behind_any_name(t: Table) -> None:
    """Whether its number is known or asked for."""
    for known in (False, True):
        if known:
            await t.whispers(t.mara, "me", set="stealth 5")
        for command, options in (
            ("roll", {"dice": "d20+stealth bless"}),
            ("check", {"dice": "d20+stealth bless", "dc": 12}),
            ("odds", {"what": "d20+stealth bless"}),
            ("group npc", {"dice": "d20+stealth bless", "count": 2}),
            ("group call", {"dice": "d20+stealth bless"}),
        ):
            asked = await t.slash(t.mara, command, **options)
            offers = [
                label.partition(" ")[2].removeprefix("of ") for label in labels(reply(asked).components)
            ]
            said = [text.partition(" #")[0] if command == "odds" else text for text in BLESSED]
            said = [text.replace(" #", " vs 12 #") if command == "check" else text for text in said]

            assert reply(asked).content.startswith("Does that word change the roll?"), command
            assert [offer.removeprefix("for ") for offer in offers] == said, command
        assert BLESSED[0] in await t.whispers(t.mara, "save", name="Hush", dice="d20+stealth bless")


async def test_a_word_that_hides_has_an_offer_behind_any_name(t: Table) -> None:
    """In a game with usual dice, and where none is played."""
    for game, dice in (("", "1d20"), ("dnd5", "d20")):
        if game:
            await t.says(t.mara, "game use", game=game)
        for command, options in (
            ("roll", {"dice": "wisdom hidden"}),
            ("save", {"name": "Hush", "dice": "wisdom hidden"}),
        ):
            said = await t.whispers(t.ann, command, **options)

            assert said.startswith("No word hides a roll."), (game, command)
            assert f"`{dice}+wisdom # hidden`" in said, (game, command)
    asked = await t.slash(t.ann, "roll", dice="wisdom bless")

    assert labels(reply(asked).components) == ["Roll 1d20+wisdom+1d4 # bless", "Roll 1d20+wisdom # bless"]


async def test_a_removed_roller_is_told(t: Table) -> None:
    """With the command that brings it back, until it is back."""
    await t.says(t.mara, "roller fair", name="Luck", dice="2d6")
    await t.says(t.mara, "roller luck", name="Fate")
    for name in ("Luck", "Fate"):
        await t.says(t.mara, "roller remove", name=name)
    for command, options, name in (
        ("roll", {"dice": "Luck"}, "Luck"),
        ("roll", {"dice": "luck+2"}, "Luck"),
        ("roll", {"dice": "Luck adv"}, "Luck"),
        ("roll", {"dice": "d20 on Fate dc 12"}, "Fate"),
        ("check", {"dice": "Luck", "dc": 12}, "Luck"),
        ("check", {"dice": "d20 on Fate", "dc": 12}, "Fate"),
        ("odds", {"what": "Luck+1"}, "Luck"),
        ("odds", {"what": "d20 on Fate dc 12"}, "Fate"),
        ("group npc", {"dice": "Luck", "count": 2}, "Luck"),
        ("group call", {"dice": "Luck"}, "Luck"),
    ):
        said = await t.whispers(t.mara, command, **options)

        assert said == f"The roller {name} was removed. `/roller undo {name}` brings it back.", options
    assert "I don't know `Nobody`" in await t.whispers(t.mara, "roll", dice="Nobody")
    await t.says(t.mara, "roller undo", name="Luck")
    assert "2d6" in await t.says(t.ann, "roll", dice="Luck")


async def test_chances_are_typed_as_people_write_them(t: Table) -> None:
    """In per cent too; what does not fit together is told in the command's words."""
    for name, options in (
        ("One", {"chance": "25%"}),
        ("Two", {"chance": "25 %"}),
        ("Three", {"chance": "0.25"}),
        ("Four", {"table": "25% 50% 100%"}),
    ):
        said = await t.says(t.mara, "roller renewal", name=name, **options)

        assert ("event 47.1%" if "table" in options else "event 25.0%") in said, options
    assert "factor 0.35" in await t.says(t.mara, "roller dynamic", name="D", factor="35%")
    for options in ({}, {"chance": "0.2", "table": "0.5 1"}, {"latest": 5, "table": "0.5 1"}, {"latest": 5}):
        said = await t.whispers(t.mara, "roller renewal", name="No", **options)
        assert said == "Give a `chance`, with `latest` or without, or a `table`.", options


async def test_a_number_in_front_of_dice_is_no_bonus(t: Table) -> None:
    """Words in front are the label of each offer, which is rolled at once."""
    await t.whispers(t.ann, "me", set="stealth 5")
    for game in ("", "dcc", "dnd5", "blades", "savage"):
        if game:
            await t.says(t.mara, "game use", game=game)
        for dice, roll in (("d20+5 vs. 15", "d20+5 vs. 15"), ("8d6", "8d6"), ("2d8+1", "2d8+1")):
            asked = await t.slash(t.ann, "roll", dice=f"fierce stealth {dice}")

            assert f"Roll {roll} # fierce stealth" in labels(reply(asked).components), (game, dice)
            for label in labels(reply(asked).components):
                assert label.endswith("# fierce stealth"), (game, dice)
                assert not reply(await t.press(asked, label, t.ann)).ephemeral, label


async def test_words_before_dice_with_names_are_a_label(t: Table) -> None:
    """As they are before dice with numbers; two rolls in a line are told apart, and `roll for` goes."""
    await t.whispers(t.ann, "me", set="str 3, stealth 5")
    offers = {
        "attack d20+str": ["d20+3 # attack"],
        "attack d20+str vs ac 15": ["d20+3 vs ac 15 # attack"],
        "stealth d20+str": ["d20+3 # stealth", "(stealth)d20+str"],
        "d20+str, 1d8+str": ["1d20+3; 1d8+3"],
        "d20+str 1d8+str": ["1d20+3; 1d8+3"],
        "roll for stealth": ["1d20+stealth"],
    }

    for text, readings in offers.items():
        asked = await t.slash(t.ann, "roll", dice=text)
        assert labels(reply(asked).components) == [f"Roll {reading}" for reading in readings], text
