"""No regular expression takes more than a text's length times itself, on any text that it must refuse."""

import json
import re
import subprocess

import pytest

from tests.support.bounded import run_bounded
from tests.support.patterns import Found, every_pattern, faults, probes, unseen

ALLOWED = {
    r"(?:([+-])(?:(\d{1,3})d([1-9]\d{0,3})|(\d{1,7}))(?:\[[^\[\]]*\])?)+": (
        "each part begins with a sign, which no digit is"
    ),
}
"""Patterns that may be read in several ways, each with the reason why that does no harm."""
KNOWN_LATER = {
    "bot/campaign/characters.py: "
    "f\"(?<!\\\\w)(?:{'|'.join(map(re.escape, longest))})(?!\\\\w)\"": "names, each with its signs escaped",
    "bot/dice/by_hand.py: f'(?<!\\\\w)(?:{longest})(?!\\\\w)'": "names, each with its signs escaped",
    "bot/play/checks.py: shape": "Discord's limits on what the bot itself sends",
    "bot/play/line.py: pattern": "names of commands, each word escaped",
    "bot/play/line.py: f'(?<![^ ])({names}): *'": "names of options, of letters alone",
    "bot/play/options.py: pattern": "names of people, each with its signs escaped",
    "cogs/kit/interactions.py: self._layout.format(*(f'({field.pattern})' for field in self.fields))": (
        "the ids of buttons, found as what they compile to"
    ),
    "bot/words/notation.py: pattern": "words and their spellings, each with its signs escaped",
    "bot/dice/dialects/rewriting.py: template": "words of letters, with numbers of at most three digits",
    "tools/sentences.py: f'\\\\b{phrase}\\\\b'": "phrases of a list of ours, over our own texts",
    "bot/dice/dialects/rewriting.py: f\"\\\\s*(?:{pattern.replace('<CMP>', compare)})\"": (
        "a dialect's modifiers, found in its table"
    ),
    "bot/dice/dialects/rewriting.py: table['others']": "what stands beside a dialect's dice, found there too",
}
"""Patterns that are put together when they are needed, each with the reason why they are known anyway."""
SECONDS = 40
"""Of processor time, for all patterns."""
LENGTHS = (50, 100, 200)
TIMES = 5
"""So much longer may a text of twice the length take; four times is what n² does."""
FLOOR = 0.02
"""Seconds of processor time that nobody notices; below, clocks are too coarse to compare."""
SCRIPT = """
import json, re, sys, time
slow = []
# The least of three where one is long: the machine may have had something else to do.
def seconds(compiled, text):
    least = 1e9
    for _ in range(3):
        began = time.process_time()
        compiled.fullmatch(text), compiled.search(text), compiled.sub("", text)
        least = min(least, time.process_time() - began)
        if least <= FLOOR:
            break
    return least
for pattern, flags, texts in json.load(sys.stdin):
    compiled = re.compile(pattern, flags)
    for series in texts:
        taken = [seconds(compiled, text) for text in series]
        if any(b > FLOOR and b > TIMES * a for a, b in zip(taken, taken[1:])):
            slow.append([pattern, series[-1], taken])
print(json.dumps(slow))
"""


def test_every_pattern_is_known() -> None:
    """What is compiled where it can't be found here is listed with a reason."""
    assert unseen() == KNOWN_LATER.keys()


def test_no_pattern_can_be_read_in_several_ways() -> None:
    """No repeat stands in a repeat or beside one of the same signs, unless it never gives back."""
    found = every_pattern()
    wrong = {one.pattern: faulty for one in found if (faulty := faults(one)) and one.pattern not in ALLOWED}

    assert wrong == {}
    assert len(found) > 300
    assert ALLOWED.keys() <= {one.pattern for one in found}


@pytest.mark.parametrize(
    ("pattern", "fault"),
    [
        (r"(?:\d*d\d+|\d+|[\s+()\-]+)*", "a repeat in a repeat"),
        (r"(?:x(?:a|b\d+))+", "a repeat in a repeat"),
        (r"\s*(\s+|,)?", "repeats side by side of the same signs"),
        (r"(?i:A*)x?a+", "repeats side by side of the same signs"),
        (r"(?:a*)(?=b)(?:[^b]+c)", "repeats side by side of the same signs"),
        (r"(?:\d*+d\d++|\d++|[\s+()\-]++)*+", ""),
        (r"(?>\s*)\s*x|a*b+|(?:\d{3})+|(?:a?b)*", ""),
    ],
)
def test_the_faults_of_a_pattern_are_found(pattern: str, fault: str) -> None:
    """Repeats that share their signs, however deep they stand in groups and choices; not possessive ones."""
    assert faults(Found("", pattern, 0)) == ([fault] if fault else [])


def _slow(patterns: set[Found], seconds: int = SECONDS) -> list[object]:
    """Those that take too long for longer texts, in a process of its own, which can be ended."""
    series = {one: [[_failing(*probe, n) for n in LENGTHS] for probe in probes(one)] for one in patterns}
    asking = json.dumps([(one.pattern, one.flags & ~re.DEBUG, texts) for one, texts in series.items()])
    script = SCRIPT.replace("FLOOR", str(FLOOR)).replace("TIMES", str(TIMES))
    return json.loads(run_bounded(script, seconds=seconds, given=asking))


def _failing(before: str, unit: str, length: int) -> str:
    """What a repeat takes over and over, and a sign that nothing takes."""
    return f"{before}{unit * length}"[: length - 1] + "\0"


def test_no_pattern_takes_long_for_a_text_that_it_refuses() -> None:
    """On texts of 50, 100 and 200 signs of what its repeats take, with one fault at the end."""
    assert _slow(every_pattern()) == []


def test_a_pattern_that_takes_for_ever_is_found() -> None:
    """Also one whose choices overlap, which no look at its repeats tells."""
    pattern = r"(?:ab|a|b)*!"
    assert faults(Found("", pattern, 0)) == []
    with pytest.raises((subprocess.CalledProcessError, subprocess.TimeoutExpired)):
        _slow({Found("", pattern, 0)}, seconds=1)
