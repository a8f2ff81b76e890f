"""The text of a Discord message with markup and mentions, without code and escaped characters."""

import re


def bare(text: str) -> str:
    """The text without what Discord shows as it stands."""
    return re.sub(r"`[^`\n]*`|\\.", "", text)
