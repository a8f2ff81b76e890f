"""What the papers say of the tree, and the tree of the papers: headings, links and helpers that exist."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CODE = ("bot", "cogs", "benchmarks", "tools")
PAPERS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("tests/*.md")])

_CITED = re.compile(r'(docs/[\w/-]+\.md)(?:,\s*(?:#\s*)?"([^"]+)")?')
_LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def headings(paper: Path) -> set[str]:
    """Return the headings of a paper, without their marks."""
    lines = paper.read_text(encoding="utf-8").splitlines()
    return {line.lstrip("#").strip() for line in lines if line.startswith("#")}


def citations() -> Iterator[tuple[Path, str, str]]:
    """Yield each paper that code names: by which file, and which heading if it names one."""
    for file in (path for folder in CODE for path in (ROOT / folder).rglob("*.py")):
        text = re.sub(r"\s*\n\s*", " ", file.read_text(encoding="utf-8"))
        for paper, heading in _CITED.findall(text):
            yield file, paper, heading


def test_what_code_cites_is_in_the_papers() -> None:
    """The paper exists and has the heading."""
    cited = list(citations())
    missing = [
        f"{file.relative_to(ROOT)}: {paper}, {heading}"
        for file, paper, heading in cited
        if not (ROOT / paper).exists() or (heading and heading not in headings(ROOT / paper))
    ]

    assert cited
    assert missing == []


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: str(paper.relative_to(ROOT)))
def test_links_lead_somewhere(paper: Path) -> None:
    """Every link to a file in the repository has a file behind it."""
    links = _LINK.findall(paper.read_text(encoding="utf-8"))

    assert [link for link in links if not (paper.parent / link).exists()] == []


def test_every_helper_is_explained() -> None:
    """tests/README.md names each module in tests/support, and no other."""
    readme = (ROOT / "tests" / "README.md").read_text(encoding="utf-8")
    table = readme.partition("## Helpers")[2].partition("Beside their tests")[0]
    helpers = {path.name for path in (ROOT / "tests" / "support").glob("*.py")}

    assert set(re.findall(r"`(\w+\.py)`", table)) == helpers


def test_every_decision_is_listed() -> None:
    """The list of decisions links each page of the folder."""
    folder = ROOT / "docs" / "decisions"
    listed = set(_LINK.findall((folder / "README.md").read_text(encoding="utf-8")))

    assert listed == {page.name for page in folder.glob("*.md")} - {"README.md"}
