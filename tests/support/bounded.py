"""Python in a process of its own that is ended after some processor time: it may never end by itself."""

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
"""A busy machine may take its time."""


def run_bounded(script: str, *arguments: str, seconds: int, given: str = "") -> str:
    """Run a script for so many seconds of processor time at most; what it writes is returned.

    subprocess's errors are raised where it fails or is ended.
    """
    # Windows has no limit of processor time.
    wait = seconds if os.name == "nt" else _PATIENCE_SECONDS
    command = [sys.executable, "-c", _LIMIT.format(seconds=seconds) + script, *arguments]
    done = subprocess.run(
        command, input=given, stdout=subprocess.PIPE, encoding="utf-8", check=True, timeout=wait
    )
    return done.stdout
