"""The text of a Discord message with markup and mentions, without code and escaped characters."""

import re


def bare(text: str) -> str:
    """Return the text without code and escaped characters."""
    return re.sub(r"`[^`\n]*`|\\.", "", text)
