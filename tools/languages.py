"""Update the translators' files: `python -m tools.languages de` makes or updates bot/languages/de.po.

It checks the file and compiles it, so that `evenhand play --language de` shows it at the table. `--template`
prints all texts without a translation.
"""

from pathlib import Path
from typing import Annotated

import typer
from babel.messages.catalog import Catalog
from babel.messages.pofile import PoFileError

from bot.words.languages import SHIPPED
from tools.catalogues import compiled, faults, forms, fresh, merge, read, texts, written
from tools.messages import every_sentence


def languages(
    codes: Annotated[list[str] | None, typer.Argument(help="Such as de; all that there are.")] = None,
    *,
    template: Annotated[bool, typer.Option("--template", help="Print all texts.")] = False,
) -> None:
    """Update, check and compile files of translations; exit with 1 if one has a fault."""
    if template:
        every = fresh("en")
        merge(every, every_sentence())
        typer.echo(written(every), nl=False)
        return
    problems = [fault for code in codes or shipped() for fault in update(code)]
    typer.echo("\n".join(problems) or "Nothing is wrong.")
    raise typer.Exit(bool(problems))


def shipped() -> list[str]:
    """Return the codes of the languages with a file."""
    return sorted(path.stem for path in Path(str(SHIPPED)).glob("*.po"))


def unfinished() -> list[str]:
    """Return the codes of the languages that lack a translation; those texts are shown in English."""
    return [code for code in shipped() if _count_untranslated(_merged(Path(str(SHIPPED)) / f"{code}.po"))]


def update(code: str, folder: Path = Path(str(SHIPPED))) -> list[str]:
    """Update a language's file and compile it, unless there are faults; return these."""
    path = folder / f"{code}.po"
    try:
        catalogue = _merged(path)
    except PoFileError as error:
        return [f"{path.name}: {error}"]
    folder.mkdir(exist_ok=True)
    path.write_bytes(written(catalogue))
    untranslated, obsolete = _count_untranslated(catalogue), len(catalogue.obsolete)
    typer.echo(f"{code}: {len(catalogue) - untranslated:,} of {len(catalogue):,} texts; {obsolete:,} gone")
    wrong = [f"{path.name}: {fault}" for fault in faults(catalogue, every_sentence())]
    if not wrong:
        path.with_suffix(".mo").write_bytes(compiled(catalogue))
    return wrong


def _merged(path: Path) -> Catalog:
    catalogue = read(path.read_bytes(), path.stem) if path.exists() else fresh(path.stem)
    merge(catalogue, every_sentence())
    return catalogue


def _count_untranslated(catalogue: Catalog) -> int:
    """Return the number of texts without a translation."""
    return sum(not all(forms(message.string)) for message in texts(catalogue))


if __name__ == "__main__":
    typer.run(languages)
