from functools import cache

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.logs import NAME, Log, checkpoint_of, export, leaves_of, told_to_player
from tests.support.verdicts import Verifier


@cache
def export_of_a_player() -> tuple[bytes, str]:
    """An export with open and closed parts, and the checkpoint of its end."""
    log = Log()
    log.add("create")
    log.make("Luck", {"system": "fair", "base": "2d6", "tightness": "1"})
    log.roll("4d6kh3", label="strength")
    log.roll("1d20", public={"see": "blind"}, label="stealth")
    log.roll_with("Luck")
    log.add("close", public={"clock": 1_780_000_000_000, "target": log.add("call")})
    events = [told_to_player(event) for event in log.events]
    about = b'{"about":{"zone":"UTC"}}\n'
    lines = export(events)
    return b"".join([lines[0], about, *lines[1:]]), checkpoint_of(leaves_of(events)).text


def free(place: int) -> bool:
    """Whether a byte lies in what binds nothing: the campaign's name, or the line about settings."""
    file, _ = export_of_a_player()
    name, about = file.index(NAME.encode()), file.index(b'{"about"')
    return name <= place < name + len(NAME) or about <= place < file.index(b"\n", about) + 1


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_one_byte_changed_or_dropped_is_found(ask: Verifier, data: st.DataObject) -> None:
    """With a checkpoint of its end, no byte of an export can be another one, or be missing."""
    file, end = export_of_a_player()
    place = data.draw(st.integers(0, len(file) - 1).filter(lambda n: not free(n)))
    put = data.draw(st.binary(max_size=1).filter(lambda one: one != file[place : place + 1]))

    verdict = ask(file[:place] + put + file[place + 1 :], checkpoints=(end,))

    assert verdict.code in {1, 2}, verdict


def test_the_file_itself_holds(ask: Verifier) -> None:
    """Unchanged, the same file holds; so the test above can fail."""
    file, end = export_of_a_player()

    assert ask(file, checkpoints=(end,)).code == 0
    assert ask(file.replace(b"UTC", b"CET").replace(NAME.encode(), b"Sunday"), checkpoints=(end,)).code == 0
