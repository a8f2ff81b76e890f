"""A luck account behind dice: `1d20+5 on Luck dc 15`, wherever a check is typed."""

import pytest

from tests.support.groups import call, rolls, text
from tests.support.table import Table
from tests.support.tongues import speak
from tests.support.wire import reply


async def _known(t: Table) -> None:
    """A luck account, a roller with dice of its own, and a roll that Ann saved."""
    await t.says(t.mara, "roller luck", name="Luck")
    await t.says(t.mara, "roller fair", name="Fair", dice="2d6")
    await t.whispers(t.ann, "save", name="Sneak", dice="1d1+7")


async def test_a_check_on_the_account(t: Table) -> None:
    """The account is named below it, and it passes or fails against the DC."""
    await _known(t)
    for command, dice in (
        ("roll", "Sneak+2 on Luck dc 15"),
        ("roll", "1d1+9 dc 15 on luck"),
        ("roll", '1d1+9 on "Luck" vs 15 # Sneak'),
        ("check", "Sneak+2 on Luck 15"),
        ("check", "1d1+9 ac 15 on LUCK"),
    ):
        said = await t.says(t.ann, command, dice=dice)

        assert said.startswith("**10** ← 1d1 (1) + "), dice
        assert " vs DC 15\n**Fails by 5**\n" in said, dice
        assert "**Luck** for practice: only called checks count" in said, dice


async def test_what_does_not_go_with_an_account(t: Table) -> None:
    """A private sentence, and nothing rolled; what is no roller's name is a tag as before."""
    await _known(t)
    for command, options, says in (
        ("roll", {"dice": "1d20 on Luck"}, "Luck counts checks. What must it beat?"),
        ("roll", {"dice": "1d20 on Luck dc 5", "times": 2}, "A check is one roll."),
        ("roll", {"dice": "1d20 on Fair dc 5"}, "Fair is no luck account"),
        ("check", {"dice": "1d20 on Luck", "dc": 5, "roller": "Luck"}, "is there twice. Leave one out."),
        ("check", {"dice": "1d20 dc 9 on Luck 5"}, "is there twice. Leave one out."),
        ("group npc", {"dice": "1d20 on Luck dc 5", "count": 2}, "Monsters roll plain dice."),
    ):
        assert says in await t.whispers(t.mara, command, **options), says

    assert "[on fire]" in await t.says(t.ann, "roll", dice="1d1 on fire")
    assert "[on a fair]" in await t.says(t.ann, "roll", dice="1d1 on a fair")
    assert "[on Fairs]" in await t.says(t.ann, "roll", dice="1d1 on Fairs")


async def test_an_account_may_be_called_like_a_game(t: Table) -> None:
    """Fate counts the check; it was a plain roll with a label."""
    await t.says(t.mara, "roller luck", name="Fate")

    assert "**Fate** for practice" in await t.says(t.ann, "roll", dice="1d20+5 on Fate dc 15")


async def test_a_slip_in_an_accounts_name_is_asked_about(t: Table) -> None:
    """A check that it should count is no plain roll."""
    await _known(t)
    asked = await t.slash(t.ann, "roll", dice="1d1 on Lukc dc 15")

    assert reply(asked).content == "I don't know `Lukc`. Did you mean `1d1 on Luck dc 15`?"
    assert "**Luck** for practice" in await t.pressed(asked, "Roll 1d1 on Luck dc 15", t.ann)


async def test_odds_and_calls_take_it(t: Table) -> None:
    """The odds of the account, with names in the dice; a call counts each press on it, with numbers."""
    await _known(t)
    await t.whispers(t.ann, "save", name="Jump", dice="1d20+7")
    await t.whispers(t.ann, "me", set="str 3")
    odds = [
        reply(await t.slash(t.ann, "odds", **asked)).content
        for asked in ({"what": "Jump on Luck dc 15"}, {"what": "Jump", "account": "Luck", "at_least": 15})
    ]
    called = await call(t, "1d20+str on Luck", dc=12)
    await t.press(called, "Roll", t.ann)

    assert odds[0] == odds[1]
    assert odds[0].startswith("**65%** · `1d20+7` against 15 on **Luck**")
    assert "`1d20+str` on `Luck` against DC 12" in text(called)
    assert " · plain 60%" in text(called)


async def test_a_call_names_the_degrees_of_the_account(t: Table) -> None:
    """As a check on it does: on the board, and to who pressed."""
    await t.says(t.mara, "roller luck", name="Deeds", degrees="miss = 0, 0 pass = 2, 10 critical pass = 3")
    called = await call(t, "1d1+24", dc=12, roller="Deeds")
    answer = await rolls(t, called, t.ann)

    assert "**Critical pass, by 13**" in answer.content
    assert "· critical pass, by 13 ·" in text(called)


async def test_a_roller_on_an_account_is_refused(t: Table) -> None:
    """One roll can't use two memories, wherever the account is named."""
    await _known(t)
    for command in ("group call", "check"):
        options = {"dice": "Fair", "dc": 15, "roller": "Luck"}
        refused = await t.whispers(t.mara, command, **options)
        behind = await t.whispers(t.mara, command, dice="fair on Luck", dc=15)

        assert "one roll can't use two memories" in refused, command
        assert "one roll can't use two memories" in behind, command


@pytest.mark.parametrize(
    ("code", "dice"),
    [
        ("de", "1w1+9 auf Luck SG 15"),
        ("de", "1w1+9 SG 15 auf Konto Luck"),
        ("es", "1d1+9 en Luck CD 15"),
        ("fr", "1d1+9 sur le compte Luck DD 15"),
        ("pt-BR", "1d1+9 na conta Luck CD 15"),
        ("pt-BR", "1d1+9 on Luck CD 15"),
    ],
)
async def test_each_language_has_its_own_word_for_it(t: Table, code: str, dice: str) -> None:
    """In a roll, a check and odds; where it stands before anything else, it is a tag in that language."""
    await _known(t)
    speak(t, person=code)
    for command in ("roll", "check"):
        assert "**Luck** " in await t.says(t.ann, command, dice=dice), command
    assert "**Luck**" in await t.says(t.ann, "odds", what=dice)
    tag = {"de": "auf Eis", "es": "en llamas", "fr": "sur le toit", "pt-BR": "em chamas"}[code]
    assert f"[{tag}]" in await t.says(t.ann, "roll", dice=f"1d1 {tag}")
