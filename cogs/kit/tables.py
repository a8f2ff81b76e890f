"""Read the tables of features: TOML files beside their modules."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any


@cache
def table(file: str, name: str) -> dict[str, Any]:
    """Return `NAME.toml` beside a module's file."""
    return tomllib.loads(Path(file).with_name(f"{name}.toml").read_text("utf-8"))
