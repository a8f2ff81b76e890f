"""What remembers the newest entries only."""

from bot.newest import Newest


def test_the_oldest_entry_makes_room() -> None:
    """It is gone; the later ones stay."""
    newest = Newest[str, int](2)
    newest["a"], newest["b"], newest["c"] = 1, 2, 3

    assert newest == {"b": 2, "c": 3}


def test_an_entry_that_is_set_again_is_the_newest() -> None:
    """So another one is dropped first."""
    newest = Newest[str, int](2)
    newest["a"], newest["b"], newest["a"], newest["c"] = 1, 2, 3, 4

    assert newest == {"a": 3, "c": 4}
