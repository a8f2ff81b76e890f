"""New secrets, from the machine's own randomness: they are drawn where campaigns and people are written."""

import os

from bot.record.commitments import KEY_BYTES

_LOG_BYTES = 16


def new_key() -> bytes:
    """Return a key for a campaign, or for a person in it."""
    return os.urandom(KEY_BYTES)


def new_log() -> str:
    """Return a name for a new log."""
    return os.urandom(_LOG_BYTES).hex()
