"""Tables: columns where a phone has room for them, else a list that says the same."""

from hypothesis import given
from hypothesis import strategies as st

from bot.words.tables import PHONE, table

CELL = st.text(st.characters(codec="ascii", categories=("L", "N")), min_size=1, max_size=24)
HEAD = st.lists(CELL, max_size=3).map(" ".join)


def test_heads_break_before_a_table_becomes_a_list() -> None:
    """A head that is too wide goes on below; where words alone are too wide there is a line for each row."""
    rows = [("a" * 16, "90.2%", "0.509"), ("b", "100%", "3.472")]

    assert table(("face", "now", "mean"), rows[1:]) == "```\nface   now   mean\nb     100%  3.472\n```"
    assert table(("", "entropy", "mean of 16 to 33"), rows).splitlines()[1:4] == [
        f"{'mean':>32}",
        f"{'of 16':>32}",
        f"{'entropy':>25}  to 33",
    ]
    assert "n\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}25" in table(
        ("", "x" * 12, "n\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}25 y"), rows
    )
    assert table(("face", "now" * 6, "mean" * 6), rows).splitlines() == [
        "face",
        f"**{'a' * 16}** · nownownownownownow **90.2%** · meanmeanmeanmeanmeanmean **0.509**",
        "**b** · nownownownownownow **100%** · meanmeanmeanmeanmeanmean **3.472**",
    ]


def test_a_column_without_a_head_holds_words() -> None:
    """Words begin below each other, figures end so."""
    assert table(("face", "came", ""), [("6", "1", "even"), ("5", "12", "1.0 due")]).splitlines()[2:4] == [
        "6        1  even",
        "5       12  1.0 due",
    ]


@given(st.data(), st.integers(1, 4), st.integers(1, 6))
def test_any_table_is_narrow_and_whole(data: st.DataObject, columns: int, length: int) -> None:
    """No line of a code block is wider than a phone, and every cell is there in its order."""
    heads = data.draw(st.lists(HEAD, min_size=columns, max_size=columns))
    rows = data.draw(st.lists(st.tuples(*[CELL] * columns), min_size=length, max_size=length))
    text = table(heads, rows)

    if text.startswith("```"):
        assert max(map(len, text.splitlines())) <= PHONE
        assert [tuple(line.split()) for line in text.splitlines()[-length - 1 : -1]] == rows
    else:
        first, lines = text.splitlines()[:-length], text.splitlines()[-length:]
        assert first == ([heads[0]] if heads[0] else [])
        assert all(cell in line for row, line in zip(rows, lines, strict=True) for cell in row)
