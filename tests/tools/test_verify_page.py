"""The verifier's page, docs/verify.html: made of its parts, without a request, and in words for everybody.

Tests that use `ask` hold that it says the same as the others of every forgery: their `js` is this page.
"""

from tests.support.browsing import PAGE, Script
from tests.support.chromium import needs_chromium
from tests.support.forging import PLAIN, changed, evening, host, other_face, true
from tests.support.logs import checkpoint_of, leaves_of
from tools.page import page

pytestmark = needs_chromium
END = checkpoint_of(leaves_of(evening()))
_DROP = """(texts) => {
    const given = new DataTransfer();
    texts.forEach((text, n) => given.items.add(new File([text], `history-${n}.jsonl`)));
    const options = { bubbles: true, cancelable: true, dataTransfer: given };
    document.body.dispatchEvent(new DragEvent("drop", options));
}"""


def test_the_page_is_made_of_its_parts() -> None:
    """`python -m tools.page` would change nothing."""
    assert PAGE.read_text("utf-8") == page()


def test_each_verdict_has_its_heading(script: Script) -> None:
    """Four codes, four sentences that need no knowledge of hashes."""
    file = host(true())
    told = [
        script.told([file], [END.text]),
        script.told([host(changed(PLAIN, other_face))], [END.text]),
        script.told([b"hello"]),
        script.told([file]),
    ]

    assert [(code, heading) for code, _, heading in told] == [
        (0, "It fits what you kept."),
        (1, "It does not hold."),
        (2, "This can't be read."),
        (3, "It agrees with itself. That alone proves little."),
    ]


def test_a_checkpoint_may_be_pasted_as_a_message_shows_it(script: Script) -> None:
    """Words before it and marks around it are left out."""
    for kept in (
        END.line,
        END.text,
        END.text.replace("\n", "\r\n"),
        END.line.capitalize()[:9] + END.line[9:],
    ):
        assert script.told([host(true())], [f"Checkpoint: `{kept}`\nold friend: {END.line}"])[0] == 0, kept


def test_files_may_be_dropped(script: Script) -> None:
    """An export, and a checkpoint that an editor saved, are taken for what they are wherever they drop."""
    code, words = script.dropped(_DROP, [host(true()).decode(), f"\ufeff{END.text}"])

    assert code == 0
    assert "Holds" in words


def test_nothing_is_asked_of_anybody(script: Script) -> None:
    """After a check the page has loaded itself and its own worker, and would not be allowed more."""
    script.told([host(true())])
    outside = {url for url in script.requests if not url.startswith(("blob:", "data:"))}

    assert outside == {PAGE.as_uri()}
    assert script.faults == []
    assert script.asks_elsewhere() == "connect-src"
