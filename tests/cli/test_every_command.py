"""Each command that works something out teaches by its help, and refuses what makes no sense."""

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.cli.d100 import d100, score
from bot.cli.evening import evening
from bot.cli.odds import odds
from bot.cli.simulate import simulate
from bot.cli.tune import tune
from tests.support.cli import evenhand

EXAMPLES: dict[Callable[..., None], int] = {d100: 3, evening: 3, odds: 5, score: 4, simulate: 3, tune: 4}
"""How many examples the help of each has, at least."""
REFUSED = {
    "d100 --dice 1": "2 to 100 sides, not 1",
    "d100 --dice 101": "not 101",
    "d100 --values 1": "2 to 1,000 sides, not 1",
    "d100 --values 1001": "not 1,001",
    "evening 1d6 --samples 0": "1 to 200 rolls, not 0.",
    "evening 1d6 --samples 201": "1 to 200 rolls, not 201.",
    "evening 1d6 1d6 1d6 1d6 1d6 1d6": "At most 5 systems",
    "evening nonsense": "I don't know",
    'evening {"system":"deck","base":"1d6","refill":7}': "With 6 cards the refill is at most 6, not 7.",
    "evening 1d6 --plot no/such/folder/x.png": "no/such/folder/x.png can't be used",
    "odds 2d": "Something is missing after `2d`, such as `2d6`.",
    "odds a --name a=1d": "Write --name as sneak=1d20+7, not as a=1d.",
    "odds 1d6 --json --csv": "not for both.",
    "odds {": "not written as JSON",
    'odds {"system":"hat"}': "There is no system 'hat'",
    'odds {"system":"dynamic","base":"1d6","factor":"2"}': "not 2",
    "odds 1d6 --after 7": "'7' is no face",
    "odds 1d6 --at-least 5 --at-most 2": "swap the two",
    'odds {"system":"deck","base":{"a":1}} --at-least 5': "doesn't come out as a number",
    "odds 1d6 --compare nonsense": "I don't know",
    "score a/b": "can't read '/' in",
    "score spin": "can't read 'spin'",
    "simulate 2d": "Something is missing after `2d`, such as `2d6`.",
    "simulate {": "not written as JSON",
    "simulate 1d6 --rolls 0": "1 to 100,000,000 rolls, not 0.",
    "tune --values 1": "2 to 100 values, not 1.",
    "tune --values 101": "2 to 100 values, not 101.",
    "tune --samples 0": "1 to 200 samples, not 0.",
    "tune --samples 201": "1 to 200 samples, not 201.",
    "tune --samples 40-15": "Write 25 or 15-40.",
    "tune --dice nonsense": "I don't know",
    "tune --values 1 --samples 2-3": "two different results",
    "tune --unpredictability 0.9": "50 % to 99 %, not 0.9 %.",
    "tune --unpredictability many": "'many' doesn't work",
    "tune --samples 5 --plot no/such/folder/x.png": "no/such/folder/x.png can't be used",
}


@pytest.mark.parametrize("command", EXAMPLES, ids=lambda command: command.__name__)
def test_help_teaches(command: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The help has examples, and each of them runs."""
    monkeypatch.chdir(tmp_path)
    lines = [line.strip() for line in (command.__doc__ or "").splitlines()]
    examples = [shlex.split(line) for line in lines if line.split(" ")[0] == command.__name__]

    assert len(examples) >= EXAMPLES[command]
    for example in examples:
        assert evenhand(*example).exit_code == 0, example


@pytest.mark.parametrize(("command", "words"), [("odds", "--after"), ("tune", "hard to guess as plain dice")])
def test_help_says_what_an_option_is(command: str, words: str) -> None:
    """Options stand in it, and what they mean."""
    assert words in " ".join(evenhand(command, "--help").stdout.split())


@pytest.mark.parametrize("more", [[], ["--json"]], ids=["", "json"])
@pytest.mark.parametrize("line", REFUSED)
def test_what_makes_no_sense_is_refused(line: str, more: list[str]) -> None:
    """It ends with one sentence on standard error and code 2, and prints nothing else."""
    result = evenhand(*line.split(), *more)

    assert REFUSED[line] in result.stderr
    assert "\n" not in result.stderr.strip()
    assert (result.exit_code, result.stdout) == (2, "")
