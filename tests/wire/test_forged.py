"""Forged and out-of-date presses and forms are answered with a sentence, never with an apology."""

import re

from discord import InteractionType

from tests.support.pressing import arrives, forms
from tests.support.table import Table
from tests.support.wire import reply

TEXTS = (
    *("", "0", "2", "5", "8" * 19, str(2**63 - 1), str(2**63), "9" * 70, "٣", "1.2.3", "1.1", "x"),
    *("\x00", "\ud800"),
    *("cards", "1d6", "gf", "register", "table", "add", "back", "6" * 40, "o", "a@\x00", "\ud800@", "roller"),
)
"""What stands in a custom id that no button of ours has."""
FITTING = ("1", "u", "o", "table", "play", "help", "hand", "roller", "1d6@@@", "1d6@@", "1d6@", "u1", "{1}")
"""One of these fits where a button's value stands."""


async def stage(t: Table) -> None:
    """A campaign with a roller, rolls of all kinds, and a call."""
    await t.slash(t.mara, "campaign create", name="Dragons")
    await t.slash(t.mara, "roller cards", name="Cards", cards="elk 3, owl 3")
    for visibility in ("public", "gm", "blind"):
        await t.slash(t.ann, "roll", dice="1d20", visibility=visibility)
    await t.slash(t.mara, "group call", check="Stealth", dice="1d20")


async def test_every_forged_id_is_answered_with_a_sentence(t: Table) -> None:
    """Whatever stands in the place of each value, too many of them, and forms without their fields.

    A text that does not fit is refused before its button is asked: alike in all places of one pattern.
    """
    await stage(t)
    carrier = reply(await t.slash(t.mara, "buttons", set="d20"))
    misfits: set[tuple[str, str]] = set()
    for (kind, word), form in forms(t).items():
        patterns = [field.pattern for field in form.fields]
        usual = [next(text for text in FITTING if re.fullmatch(pattern, text)) for pattern in patterns]
        ids: list[list[str]] = []
        for n, pattern in enumerate(patterns):
            tried = [text for text in TEXTS if re.fullmatch(pattern, text) or (pattern, text) not in misfits]
            ids += [[*usual[:n], text, *usual[n + 1 :]] for text in tried]
            misfits |= {(pattern, text) for text in tried if not re.fullmatch(pattern, text)}
        for values in [usual, [*usual, "1"], *ids] if usual else []:
            signs = [*(field.before for field in form.fields), ":"]
            custom_id = word + "".join(map("".join, zip(signs, values, strict=False)))
            answer = await arrives(t, t.mara, kind, custom_id[:100], carrier)

            assert answer.acknowledged, custom_id
            assert not answer.response or "my fault" not in answer.response.content, custom_id


async def test_what_another_version_sent_is_answered(t: Table) -> None:
    """A button or a form that nobody answers any more, and a list of what is gone, are called out of date."""
    carrier = reply(await t.slash(t.mara, "buttons", set="d20"))
    press, form = InteractionType.component, InteractionType.modal_submit
    answers = [
        *[await arrives(t, t.ann, kind, "no-such-word:1", carrier) for kind in (press, form)],
        *[await arrives(t, t.mara, press, "settings", carrier, chosen) for chosen in ([], ["another"])],
    ]

    for answer in answers:
        assert "too old for me" in reply(answer).content


async def test_only_people_can_be_called(t: Table) -> None:
    """Values that are no people's numbers are refused in words, and call nobody."""
    await stage(t)
    carrier = reply(await t.slash(t.mara, "buttons", set="d20"))
    for chosen in ("x", "9" * 40, "-1", ""):
        answer = await arrives(t, t.mara, InteractionType.component, "call-players:1:6", carrier, [chosen])

        assert "my fault" not in reply(answer).content, chosen
