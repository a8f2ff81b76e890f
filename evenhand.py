"""Start the command `evenhand`, unless another program's `bot` or `cogs` would be started in its place."""

import sys
from importlib.util import find_spec
from pathlib import Path

_SHADOWED = (
    "Another program's package `{name}` lies in front of Evenhand's, at {place}. Give Evenhand an "
    "environment of its own, by `pipx install .` or `uv tool install .` in its checkout, or unset PYTHONPATH."
)


def main() -> None:
    """Run the command line of the `bot` that lies beside this file; exit code 2 where another would run."""
    home = Path(__file__).resolve().parent
    for name in ("bot", "cogs"):
        spec = find_spec(name)
        place = Path(spec.origin).resolve() if spec and spec.origin else None
        # Installed into one environment, one program's file overwrites the other's.
        here = home / name / "__init__.py"
        if place != here or (name == "bot" and "Evenhand" not in here.read_text("utf-8")):
            print(_SHADOWED.format(name=name, place=place or "an unknown place"), file=sys.stderr)  # noqa: T201
            sys.exit(2)
    from bot.__main__ import main as run

    run()
