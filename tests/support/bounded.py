"""Python in a subprocess with a limit of processor time, for code that may never end by itself."""

import os
import subprocess
import sys

_LIMIT = """
try:
    import resource
    resource.setrlimit(resource.RLIMIT_CPU, ({seconds}, {seconds}))
except ImportError:
    pass
"""
_PATIENCE_SECONDS = 900
"""Limit of real time, generous for a busy machine."""


def run_bounded(script: str, *arguments: str, seconds: int, given: str = "") -> str:
    """Run a script for at most `seconds` of processor time, and return its standard output.

    Raise the errors of subprocess if it fails or reaches the limit.
    """
    # Windows has no limit of processor time.
    wait = seconds if os.name == "nt" else _PATIENCE_SECONDS
    command = [sys.executable, "-c", _LIMIT.format(seconds=seconds) + script, *arguments]
    done = subprocess.run(
        command, input=given, stdout=subprocess.PIPE, encoding="utf-8", check=True, timeout=wait
    )
    return done.stdout
