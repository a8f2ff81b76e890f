"""The page's files: small, as published, readable in both lights, and without a second way to draw."""

import hashlib
import re
from graphlib import TopologicalSorter

import pytest

from bot.play.page import SITE, script_texts

LIT = SITE / "lit-html"
PUBLISHED = {"lit-html.js": "b878e7f95dec8a9b6e9b217faca6b6a11bad82ebc44c0caa77419ed83edd81f2"}
OWN = sorted(path for path in SITE.iterdir() if path.is_file())
TEXT, CONTROL = 4.5, 3.0
GROUNDS = ("bg", "side", "raised", "sunk", "field", "private")
SAID = re.compile(r'\bsay(?:Many)?\("(?:[^"\\\n]|\\.)*"(?:, "(?:[^"\\\n]|\\.)*")?')
LEFT = re.compile(
    r'\b(?:aria-label|title|placeholder|alt)="[^"$]*[a-z][^"]*"'  # a name of a control
    r'|(?<=[\w"/}])>\s*[A-Za-z]{2,}[^<>`]*'  # a text of a template
    r'|(?<=[`"])[A-Z][a-z]+[^"`\n]*'  # a text of its own
)
OWN_NAMES = {"Evenhand", "Tab", "Enter", "Escape", "Content-Type"}
PEOPLE = tuple(f"person-{place}" for place in range(8))
PAIRS = [
    *((colour, ground, TEXT) for colour in ("text", "soft", "accent", "danger") for ground in GROUNDS),
    *(
        (colour, ground, TEXT)
        for colour in ("brass", *PEOPLE)
        for ground in ("bg", "side", "raised", "private")
    ),
    *(("control", ground, CONTROL) for ground in ("bg", "raised", "field")),
    *((colour, "bg", CONTROL) for colour in ("main", "die-edge")),
    ("accent", "tint", TEXT),
    ("text", "tint", TEXT),
    ("soft", "tint", TEXT),
    ("white", "main", TEXT),
    ("bg", "brass", TEXT),
    ("ink", "die", TEXT),
]


def _colours(light: int) -> dict[str, str]:
    """Return each colour of the stylesheet by name, of the light (0) or the dark (1) table."""
    found = re.findall(
        r"(?:--|\.)([\w-]+)(?:: | { color: )light-dark\((#\w{6}), (#\w{6})\)",
        (SITE / "table.css").read_text(),
    )
    return {name: pair[light] for name, *pair in found} | {"white": "#ffffff"}


def _luminance(colour: str) -> float:
    """Return the relative luminance as WCAG 2.2 defines it."""
    channels = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, 1 to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("light", [0, 1], ids=["light", "dark"])
def test_every_text_and_control_can_be_read(light: int) -> None:
    """Text stands out by 4.5 from every ground it stands on, controls and dice by 3."""
    colours = _colours(light)
    weak = {
        (name, ground): round(_contrast(colours[name], colours[ground]), 2)
        for name, ground, least in PAIRS
        if _contrast(colours[name], colours[ground]) < least
    }
    assert not weak


def test_texts_grow_with_the_readers_own_size() -> None:
    """Sizes and heights of lines are in rem; only figures on dice and people's letters are drawn in px."""
    sheets = "\n".join(path.read_text("utf-8") for path in OWN if path.suffix == ".css")
    in_px = re.findall(r"^([^{\n]*){[^}]*(?:font|font-size|line-height): [^;]*\dpx", sheets, re.MULTILINE)

    assert {name.strip() for name in in_px} <= {".figure", ".figure.long", ".hexagon text"}


def test_contrast_is_that_of_the_standard() -> None:
    """Black on white is 21, a grey known to just pass is 4.54."""
    assert round(_contrast("#000000", "#ffffff"), 2) == 21
    assert round(_contrast("#767676", "#ffffff"), 2) == 4.54


def test_lit_html_is_as_published() -> None:
    """Exactly the files needed are kept, each with the bytes of the published package, and its licence."""
    kept = {str(path.relative_to(LIT)) for path in LIT.rglob("*.js")}
    assert kept == set(PUBLISHED)
    for name, digest in PUBLISHED.items():
        assert hashlib.sha256((LIT / name).read_bytes()).hexdigest() == digest, name
    assert "BSD 3-Clause License" in (LIT / "LICENSE").read_text()
    assert "3.3.3" in (LIT / "VERSION").read_text()


def test_the_page_is_small() -> None:
    """All files that a browser loads weigh 110 kB at most, and our own have 2,000 lines at most."""
    loaded = [path for path in SITE.rglob("*") if path.suffix in {".js", ".css", ".html"}]
    assert sum(path.stat().st_size for path in loaded) <= 110_000
    lines = {path.name: len(path.read_text().splitlines()) for path in OWN}
    assert sum(lines.values()) <= 2_000
    assert max(lines.values()) <= 250, lines


def test_no_two_modules_need_each_other() -> None:
    """Each of the page's modules can be read after all that it imports: `TopologicalSorter` finds circles."""
    needs = {path.name: re.findall(r'from "\./([a-z]+\.js)"', path.read_text()) for path in OWN}
    order = [*TopologicalSorter(needs).static_order()]

    assert order.index("manage.js") < order.index("log.js")


def left(script: str) -> set[str]:
    """The texts of a script that are not said in a language."""
    code = re.sub(r"^ *//.*$|^import .*$|(?<=,|;|\{) // .*$", "", script, flags=re.MULTILINE)
    return {found[0] for found in LEFT.finditer(SAID.sub("say(", code))} - OWN_NAMES - {">Evenhand"}


def test_every_text_is_said_in_a_language() -> None:
    """By its literal, so that translators find it; no English stands beside it."""
    for path in SITE.glob("*.js"):
        script = path.read_text()
        assert left(script) == set(), path.name
        assert len(SAID.findall(script)) == len(re.findall(r"\bsay(?:Many)?\(", script)), path.name
        assert len([*script_texts(script)]) == len(SAID.findall(script))


def test_english_that_is_left_is_found() -> None:
    """In templates, in names of controls, and in strings."""
    assert left('html`<b>Press it</b>`; alert("Not now"); say("Now {x}", `#${x}`)') == {
        ">Press it",
        "Not now",
    }
    assert left("html`<p aria-label=\"new\" class=wide>${say('x')} later</p>`") == {'aria-label="new"'}


def test_there_is_no_string_of_html() -> None:
    """No file of ours uses a way in which text could become markup, or asks another host for anything."""
    forbidden = re.compile(
        r"innerHTML|outerHTML|insertAdjacent|document\.write|unsafeHTML|eval\(|new Function| style="
    )
    for path in OWN:
        text = path.read_text()
        assert not forbidden.search(text), path.name
        assert not re.search(r"(src|href|from|import)\s*=?\s*[\"'(]+(https?:)?//", text), path.name
