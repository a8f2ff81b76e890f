import pytest
from hypothesis import given
from hypothesis import strategies as st

import proofs
from bot.record.checkpoint import (
    Checkpoint,
    ConsistencyProof,
    InclusionProof,
    NotAProof,
    find_checkpoints,
    read_checkpoint,
    read_consistency,
    read_inclusion,
)
from tests.support.logs import ORIGIN

HASHES = st.binary(min_size=32, max_size=32)
SIZES = st.integers(0, 2**50)
CHECKPOINTS = st.builds(Checkpoint, st.just(ORIGIN), SIZES, HASHES)
PATHS = st.lists(HASHES, max_size=40).map(tuple)
ONE = Checkpoint(ORIGIN, 1200, bytes(range(32)))


def test_a_checkpoint_is_three_lines() -> None:
    """The text is the log's name, its size and its root, as C2SP tlog-checkpoint has them."""
    assert ONE.text == f"{ORIGIN}\n1200\nAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n"
    assert ONE.line == f"{ORIGIN} 1200 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="


@given(CHECKPOINTS)
def test_a_checkpoint_is_read_in_either_spelling(checkpoint: Checkpoint) -> None:
    """Three lines or one, with or without blanks around them and signatures after them: it is the same."""
    signed = f"{checkpoint.text}\n— {ORIGIN} bm90IGNoZWNrZWQ=\n— other bm90IGVpdGhlcg==\n"

    for text in (checkpoint.text, checkpoint.line, f"  {checkpoint.line}\n", signed):
        assert read_checkpoint(text) == checkpoint


@pytest.mark.parametrize(
    "around",
    [
        "Checkpoint: `{line}`",
        "```\n{text}```Paste it yourself",
        "Ann, 12:03: {line}.",
        "\t{line} (of #12)",
        "{crlf}",
    ],
)
def test_a_checkpoint_is_found_in_what_was_kept(around: str) -> None:
    """With the message around it, in either spelling, and with the capital that a phone gives it."""
    kept = around.format(line=ONE.line, text=ONE.text, crlf=ONE.text.replace("\n", "\r\n"))

    for text in (kept, kept.replace("evenhand/", "Evenhand/")):
        assert (
            find_checkpoints(text) == [Checkpoint(*note) for note in proofs.find_checkpoints(text)] == [ONE]
        )


@given(st.binary(max_size=500), SIZES, PATHS, CHECKPOINTS)
def test_a_proof_of_one_event_reads_back(
    line: bytes, index: int, path: tuple[bytes, ...], end: Checkpoint
) -> None:
    """A tlog-proof is read again as it was written."""
    proof = InclusionProof(b"{" + line, index, path, end)

    assert read_inclusion(proof.text) == proof


@given(SIZES, PATHS, CHECKPOINTS)
def test_a_consistency_proof_reads_back(old: int, path: tuple[bytes, ...], end: Checkpoint) -> None:
    """The body that witnesses take is read again as it was written."""
    proof = ConsistencyProof(old, path, end)

    assert read_consistency(proof.text) == proof


def test_the_texts_are_those_of_c2sp() -> None:
    """The lines stand in the order of tlog-proof@v1 and of tlog-witness."""
    inclusion = InclusionProof(b"{}", 7, (bytes(32),), ONE).text.split("\n")
    consistency = ConsistencyProof(7, (bytes(32),), ONE).text.split("\n")
    zero = "A" * 43 + "="

    assert inclusion[:5] == ["c2sp.org/tlog-proof@v1", "extra e30=", "index 7", zero, ""]
    assert consistency[:3] == ["old 7", zero, ""]
    assert "\n".join(inclusion[5:]) == "\n".join(consistency[3:]) == ONE.text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "evenhand/x",
        ONE.text.replace("1200", "01200"),
        ONE.text.replace("1200", "-1"),
        ONE.text.replace("1200", "١٢"),
        ONE.text.replace("1200", "1" * 17),
        ONE.text.replace("Hh8=", "Hh9="),
        ONE.text.replace("Hh8=", "Hh8"),
        ONE.text.replace("AAEC", "AAE*"),
        ONE.text.replace("AAEC", ""),
        ONE.text.replace("evenhand", "even+hand"),
        f"{ONE.line} more",
        ONE.line.replace(" ", "\n", 1),
        ONE.text.replace("\n", " ", 1),
    ],
)
def test_what_is_no_checkpoint_is_refused(text: str) -> None:
    """A size with a zero before it, a hash with other last bits, and all else that is no checkpoint."""
    with pytest.raises(NotAProof):
        read_checkpoint(text)


@pytest.mark.parametrize(
    "change",
    [
        ("tlog-proof@v1", "tlog-proof@v2"),
        ("extra ", ""),
        ("index 7", "index 07"),
        ("index 7\n", ""),
        ("A=\n\n", "A=\n"),
        ("A" * 43 + "=", "A" * 42 + "B="),
        ("e30=", "e30"),
        ("1200", "x"),
    ],
)
def test_a_damaged_proof_is_refused(change: tuple[str, str]) -> None:
    """A proof that lacks a line, or has one that is written otherwise, is not read."""
    text = InclusionProof(b"{}", 7, (bytes(32),), ONE).text
    damaged = text.replace(*change)

    assert damaged != text
    with pytest.raises(NotAProof):
        read_inclusion(damaged)
    with pytest.raises(NotAProof):
        read_inclusion(text.rstrip("\n"))


@pytest.mark.parametrize("note", [ONE.line, ONE.line.replace(" ", "\t"), f"{ONE.line}\n\n— a sign"])
def test_a_proof_may_have_its_checkpoint_in_one_line(note: str) -> None:
    """A checkpoint is the same there in either spelling, but not half in each."""
    proof, went_on = InclusionProof(b"{}", 7, (bytes(32),), ONE), ConsistencyProof(7, (bytes(32),), ONE)

    assert read_inclusion(proof.text.replace(ONE.text, f"{note}\n")) == proof
    assert read_consistency(went_on.text.replace(ONE.text, f"{note}\n")) == went_on
    for damaged in (ONE.line.replace(" ", "\n", 1), f"{ONE.text[:-1]} "):
        with pytest.raises(NotAProof):
            read_consistency(went_on.text.replace(ONE.text, f"{damaged}\n"))


def test_a_damaged_consistency_proof_is_refused() -> None:
    """A proof without its first line, its empty line or its end is not read."""
    text = ConsistencyProof(7, (bytes(32),), ONE).text

    for damaged in (text.replace("old 7\n", ""), text.replace("\n\n", "\n"), text[:-1], "", "old 7\n" * 90):
        with pytest.raises(NotAProof):
            read_consistency(damaged)
