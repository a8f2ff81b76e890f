"""Keep the translators' files: `python -m tools.languages de` makes or updates bot/languages/de.po.

It checks the file and compiles it, so that `evenhand play --language de` shows it at the table. `--template`
prints all texts without a translation.
"""

from functools import cache
from pathlib import Path
from typing import Annotated

import typer

from bot.words.languages import SHIPPED
from tools.catalogues import Catalogue, compiled, faults, fresh, merged, read, written
from tools.messages import Sentence, sentences


def languages(
    codes: Annotated[list[str] | None, typer.Argument(help="Such as de; all that there are.")] = None,
    *,
    template: Annotated[bool, typer.Option("--template", help="Print all texts.")] = False,
) -> None:
    """Update, check and compile files of translations; the exit code is 1 where one has a fault."""
    if template:
        typer.echo(written(merged(fresh("xx"), _texts()), _texts()), nl=False)
        return
    found = [fault for code in codes or shipped() for fault in update(code)]
    typer.echo("\n".join(found) or "Nothing is wrong.")
    raise typer.Exit(bool(found))


def shipped() -> list[str]:
    """Return the codes of the languages that have a file."""
    return sorted(path.stem for path in Path(str(SHIPPED)).glob("*.po"))


def unfinished() -> list[str]:
    """Return the codes of the languages that lack a text; what they lack is shown in English."""
    found = [
        (code, merged(read((SHIPPED / f"{code}.po").read_text("utf-8")), _texts())) for code in shipped()
    ]
    return [code for code, catalogue in found if _done(catalogue) < len(catalogue.said)]


def update(code: str, folder: Path = Path(str(SHIPPED))) -> list[str]:
    """Update a language's file and compile it, unless there are faults; return these."""
    texts, path = _texts(), folder / f"{code}.po"
    old = read(path.read_text("utf-8")) if path.exists() else fresh(code)
    new = merged(old, texts)
    folder.mkdir(exist_ok=True)
    path.write_text(written(new, texts), "utf-8")
    typer.echo(
        f"{code}: {_done(new):,} of {len(new.said):,} texts; {len(old.said.keys() - new.said.keys()):,} gone"
    )
    wrong = [f"{path.name}: {fault}" for fault in faults(new, texts)]
    if not wrong:
        path.with_suffix(".mo").write_bytes(compiled(new))
    return wrong


@cache  # reading every file takes seconds, and each language needs the same texts
def _texts() -> tuple[Sentence, ...]:
    return (*sentences(),)


def _done(catalogue: Catalogue) -> int:
    return sum(all(said) for said in catalogue.said.values())


if __name__ == "__main__":
    typer.run(languages)
