"""What is left of a Discord message for markup and mentions, once code and escaped signs are out."""

import re


def bare(text: str) -> str:
    """The text without what Discord shows as it stands."""
    return re.sub(r"`[^`\n]*`|\\.", "", text)
