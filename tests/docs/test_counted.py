"""The figures of docs/dialects.md and docs/games.md are counted again."""

from bot.dice.dialects.dialect import OTHERS, Dialect
from bot.dice.notation import parse, reads
from bot.rulebooks.book import builtin_games
from tests.dice import test_dialects, test_documented
from tests.docs.test_shown_commands import ROOT
from tests.rulebooks import test_one_word
from tests.support.dialects import fingerprints


def page(name: str) -> str:
    """Return a page's text without line breaks."""
    return " ".join((ROOT / "docs" / name).read_text("utf-8").split())


def test_the_lines_of_other_programs_are_counted() -> None:
    """Those that are read with a dialect and without, with which law, and the rolls of one word."""
    lines = test_dialects.LINES
    alone = [fingerprints(parse(line.text)) == line.law for line in lines if reads(line.text)]
    documented = [(text, dialect) for dialect in OTHERS for text in test_documented.LINES[dialect]]
    words = len(test_one_word.READ)

    read = sum(reads(line.text, Dialect(line.dialect)) for line in lines)
    for told in (
        f"Of {len(lines)} documented lines of the six programs (",
        f"the bot reads {read} with the dialect",
        f"reads {sum(alone)} of them at once, gives {alone.count(False)} Evenhand's own meaning",
        f"Of {len(documented)} lines from",
        f"it reads {sum(reads(*line) for line in documented)}, none with other odds",
        f"knows {words} of {words + len(test_one_word.REFUSED)} (",
    ):
        assert told in page("dialects.md")


def test_the_games_are_counted() -> None:
    """README and the page of games say how many there are; the page names each with its word."""
    games = sorted(builtin_games().values(), key=lambda game: game.name.casefold())

    assert len(games) // 10 == 6
    assert " · ".join(f"{game.name} `{game.key}`" for game in games) in page("games.md")
    assert "knows the words of sixty games" in page("games.md")
    assert "knows [sixty games]" in page("../README.md")
