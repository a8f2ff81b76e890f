"""Every known way to choose a roll of proof mode: each verifier names it, or counts it by its number.

Each is made as a host would make it, who has all keys and makes all hashes anew.
"""

import pytest

from tests.support.choosing import PRESS, WAYS, evening, file_of, replaced
from tests.support.logs import SECOND, Line, Log, checkpoint_of, edited, end_of, leaves_of
from tests.support.verdicts import Verdict, Verifier


@pytest.mark.parametrize("way", WAYS)
def test_a_way_to_choose_a_roll_is_told(way: str, ask: Verifier) -> None:
    """Also with a checkpoint that a player kept after the roll, for the host made it so from the start."""
    chosen = WAYS[way]
    file = chosen.file
    verdicts = [ask(file), ask(file, checkpoints=(end_of(file),))]

    assert [verdict.code for verdict in verdicts] == ([3, 0] if chosen.counted else [1, 1]), verdicts
    for verdict in verdicts:
        assert chosen.word in verdict.words
        assert chosen.counted or f"#{chosen.number} " in verdict.words, verdict


def test_a_history_that_was_put_back_holds(ask: Verifier) -> None:
    """It says so; a checkpoint of the other branch does not fit, one of before the backup does."""
    log, other = evening(), evening()
    for one in (log, other):
        one.roll("1d20")
    log.restored()
    log.roll("1d20")
    log.commit(bytes([1]) * 32)
    log.roll("1d20")
    log.restored()
    other.roll("1d20")
    file = file_of(log)
    before, after = (checkpoint_of(leaves_of(one.events), size).text for one, size in ((log, 4), (other, 5)))
    fits, fits_not = ask(file, checkpoints=(before,)), ask(file, checkpoints=(after,))

    assert fits.code == 0, fits
    for last in (4, 9):
        line = f"\nThis history was put back to #{last}; compare your checkpoints.\n"
        assert line in fits.words.replace("\r", "")
    assert "2 rolls follow from their keys" in fits.words
    assert "1 rolls without keys in force: #6" in fits.words
    assert fits_not.code == 1
    assert "Broken: #5" in fits_not.words


def test_dice_that_were_typed_say_nothing_of_keys(ask: Verifier) -> None:
    """Where there never were any: they are counted by their player, and proof mode is not spoken of."""
    log = Log()
    log.add("create")
    log.roll("1d20")
    typed = replaced(
        2,
        lambda e: edited(
            edited(e, "what", results=["20"], source="physical", thrown=[20]), "how", draws=[[20, 19]]
        ),
    )
    verdict = ask(file_of(log, typed))

    assert verdict.code == 3, verdict
    assert "1 rolls typed in by people, not from keys: #2 (by 42 1)." in verdict.words
    assert "Proof mode" not in verdict.words


@pytest.mark.parametrize(("last", "code"), [(6, 3), (5, 1)])
def test_dice_thrown_by_hand_make_a_charts_label(ask: Verifier, last: int, code: int) -> None:
    """Whose totals have their sum; another label is not what they made."""
    log = Log()
    log.add("create")
    labels: Line = {"wood": [2, 3, 12], "ore": [*range(4, 12)]}
    log.make("Finds", {"system": "dice", "base": {"dice": "2d6", "labels": labels}})
    log.roll_with("Finds")
    typed = edited(log.events[-1], "what", results=["wood"], source="physical", thrown=[6, last])
    log.events[-1] = edited(typed, "how", draws=[[36, 0]])
    verdict = ask(file_of(log))

    assert verdict.code == code, verdict
    assert ("thrown by hand" in verdict.words) == (code == 1)


def test_an_honest_evening_holds(ask: Verifier) -> None:
    """An early press, several parts, salt and the end: each roll is counted as what it is, none is named."""
    log = evening()
    log.roll("1d20", public={"id": str(PRESS + 7)})
    press = str(log._id + 61 * SECOND)
    for place in (1, 2, 3):
        log.roll("1d20", public={"id": press, "part": place})
    log.salt("owl")
    log.roll("1d20")
    log.uncommit()
    log.roll("1d20")
    file = file_of(log)
    kept = checkpoint_of(leaves_of(log.events)).text
    verdict: Verdict = ask(file, checkpoints=(kept,))

    assert verdict.code == 0, verdict
    assert "4 rolls follow from their keys" in verdict.words
    assert "1 rolls before the message that shows the keys: #4" in verdict.words
    assert "1 rolls without keys in force: #11" in verdict.words
    assert "Compare message" in verdict.words
