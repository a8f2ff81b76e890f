"""A restart between a question and its answer: every button and form of a campaign still does its work."""

from tests.support.restart import Run
from tests.support.table import numbered, totals
from tests.support.wire import reply

DECK = ["1", "2", "3", "4", "5", "6"]


async def drawn(run: Run, times: int) -> list[str]:
    """Ann draws from the deck."""
    return totals(await run.says(run.wire.ann, "roll", dice="cards", times=times))


async def test_a_campaigns_reset_goes_on_at_its_button(run: Run) -> None:
    """Stopped before the button is pressed: the next bot shows the form, and resets."""
    mara = run.wire.mara
    await run.says(mara, "roller deck", refill=1, name="Cards")
    await drawn(run, 5)
    question = await run.wire.slash(mara, "admin reset", scope="campaign")
    await run.restart()
    form = await run.wire.press(question, "Reset…", mara)
    done = reply(await mara.submit_modal(form, {"why": "Anew", "who": "Ann"})).content

    assert "Why: `Ann: Anew`." in done
    assert sorted(await drawn(run, 6)) == DECK


async def test_a_form_that_is_open_can_still_be_sent(run: Run) -> None:
    """Stopped while somebody types their reason: it is read by the next bot, and once."""
    mara = run.wire.mara
    await run.says(mara, "roller deck", refill=1, name="Cards")
    first = await drawn(run, 5)
    question = await run.wire.slash(mara, "admin reset", scope="roller", roller="cards")
    form = await run.wire.press(question, "Reset…", mara)
    await run.restart()
    done = reply(await mara.submit_modal(form, {"why": "Anew"})).content
    history = await run.says(run.wire.bob, "history")

    assert done.startswith(f"{mara.mention} reset `Cards`: a fresh start. Why: `Anew`.")
    assert history.count("reset `Cards`") == 1
    assert len(first) == 5
    assert sorted(await drawn(run, 6)) == DECK


async def test_a_reset_is_taken_back_after_a_restart(run: Run) -> None:
    """The Undo under an old message brings the deck back as it was."""
    mara = run.wire.mara
    await run.says(mara, "roller deck", refill=1, name="Cards")
    first = await drawn(run, 5)
    form = await run.wire.press(await run.wire.slash(mara, "admin reset", scope="campaign"), "Reset…", mara)
    done = await mara.submit_modal(form, {"why": "Anew"})
    await run.restart()
    undone = await run.pressed(done, "Undo", mara)

    assert undone.startswith(f"{mara.mention} undid the reset of `Cards`.")
    assert sorted(first + await drawn(run, 1)) == DECK


async def test_real_dice_go_on_after_a_restart(run: Run) -> None:
    """Also those that only their thrower sees: the message's own keys hold them; so does a register."""
    ann = run.wire.ann
    await run.says(ann, "d100 physical", dice="3 5 1 6")
    await run.says(run.wire.mara, "admin settings", visibility="self")
    message = await run.wire.slash(ann, "d100 physical", dice="6 1 5", method="table")
    await run.restart()
    message = await run.wire.press(message, "4", ann)
    done = await run.wire.press(message, "6", ann)

    assert [m.content.partition(" ")[0] for m in done.followups] == ["**44**"]
    assert not any("**44**" in text for text in run.wire.seen_by(run.wire.bob))
    assert ", start 81 → " in await run.says(ann, "d100 roll")


async def test_a_servers_data_is_deleted_after_a_restart(run: Run) -> None:
    """The next roll begins a new history at 1."""
    mara = run.wire.mara
    for _ in range(3):
        await run.says(run.wire.ann, "roll", dice="1d6")
    question = await run.wire.slash(mara, "admin erase")
    await run.restart()
    done = await run.pressed(question, "Delete it all", mara)

    assert done == "Done. I deleted everything stored for this place."
    assert numbered(await run.says(run.wire.ann, "roll", dice="1d6")) == 1


async def test_what_was_tuned_is_made_after_a_restart(run: Run) -> None:
    """The button under an old /lab tune makes its dice."""
    found = await run.wire.slash(run.wire.ann, "lab tune", values=2, samples=3)
    await run.restart()
    made = await run.pressed(found, "Make the dice (GM)", run.wire.mara)

    assert made.startswith("**Dynamic d2** is ready: dynamic 1d2")
    assert "**Dynamic d2** · dynamic 1d2" in await run.says(run.wire.bob, "roll", dice="dynamic d2")


async def test_campaigns_and_their_game_masters_stay(run: Run) -> None:
    """An evening that goes on, a saved roll and a named game master are there after a restart."""
    mara, bob = run.wire.mara, run.wire.bob
    await run.says(mara, "campaign create", name="Dragons")
    await run.says(mara, "campaign gm add", who=bob)
    await run.says(mara, "session start")
    saved = await run.says(bob, "save", name="Claw", dice="1d20+7")
    await run.restart()
    rolled = await run.says(bob, "roll", dice="claw")
    ended = await run.says(bob, "session end")

    assert saved.startswith("Saved:")
    assert "\n-# claw · " in rolled
    assert "**A short night**" in ended
