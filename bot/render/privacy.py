"""What is said about stored data."""

from bot.campaign.events import DISCORD_EPOCH
from bot.campaign.privacy import Holdings

FORGET = (
    "Erase yourself from every history, here and on other servers? Your Discord number, your words, your "
    "memories and your saved rolls go. The results stay, as somebody's, so that each history can still be "
    "checked. This can't be undone."
)
DELETED = "Done: all that was stored of this place is deleted."
DELETE_NOTE = "This can't be undone. `/export` first if you want to keep it."


def held(holdings: Holdings) -> str:
    """What is stored about who asks."""
    kept = (holdings.saved, holdings.masters, holdings.counts, holdings.memories)
    if not holdings.events and not any(kept):
        return "Nothing is stored about you."
    since = ""
    if holdings.first is not None:
        since = f", the first <t:{((holdings.first >> 22) + DISCORD_EPOCH) // 1000}:D>"
    entries = _n(holdings.events, "roll or other entry", "rolls and other entries")
    histories = _n(holdings.campaigns, "history", "histories")
    saved = _n(holdings.saved, "saved roll", "saved rolls")
    masters = _n(holdings.masters, "campaign", "campaigns")
    counts = _n(holdings.counts, "history", "histories")
    memories = _n(holdings.memories, "roller's memory", "rollers' memories")
    lines = [
        "**What is stored about you**",
        f"{entries} in {histories}{since}; {holdings.labels:,} with words of yours.",
        f"{saved}; game master by name of {masters}.",
        f"Counts of your results in {counts}; {memories} of your own.",
        "Each entry has your Discord number, never your name.",
        "`/history player:@you` shows them, `/data forget` erases you from all of them.",
    ]
    return "\n".join(lines)


def forgotten(events: int, campaigns: int) -> str:
    """What an erasure came to."""
    if not events:
        return "Done: nothing is stored about you any more."
    return (
        f"Done: you are erased from {_n(events, 'entry', 'entries')} in "
        f"{_n(campaigns, 'history', 'histories')}. Nothing is stored about you any more."
    )


def confirm_delete(campaigns: int, events: int) -> str:
    """What would be deleted, before it is."""
    return (
        f"Delete everything stored of this place: {_n(campaigns, 'campaign', 'campaigns')} with "
        f"{_n(events, 'entry', 'entries')}, all rollers and memories? {DELETE_NOTE}"
    )


def _n(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"
