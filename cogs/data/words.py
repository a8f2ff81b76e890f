"""The words of /data: what is stored about somebody, and its erasure."""

from bot.services.privacy import Holdings
from bot.times import time_of
from bot.words.cards import Card, CardButton, Head, Text, Tone, said
from bot.words.text import plural

CONFIRM = said(
    "Erase yourself from every history, here and on other servers? Your Discord number, your words, your "
    "memories, your saved rolls and your characters go. The results stay, as somebody's, so that people can "
    "still check each history. You can't undo this.",
    CardButton("forget-me"),
)


def held(holdings: Holdings) -> Card:
    """Return what is stored about whoever asks."""
    kept = (holdings.saved, holdings.characters, holdings.masters, holdings.counts, holdings.memories)
    if not holdings.events and not any(kept):
        return said("Nothing is stored about you.")
    since = ""
    if holdings.first is not None:
        since = f", the first <t:{int(time_of(holdings.first))}:D>"
    entries = plural(holdings.events, "roll or other entry", "rolls and other entries")
    histories = plural(holdings.campaigns, "history", "histories")
    characters = plural(holdings.characters, "character")
    masters = plural(holdings.masters, "campaign")
    counts = plural(holdings.counts, "history", "histories")
    memories = plural(holdings.memories, "roller's memory", "rollers' memories")
    lines = [
        f"{entries} in {histories}{since}; {holdings.labels:,} with words of yours.",
        f"{plural(holdings.saved, 'saved roll')}; {characters}; game master by name of {masters}.",
        f"Counts of your results in {counts}; {memories} of your own.",
        "Each entry has your Discord number, never your name.",
        "`/history player:@you` shows them, `/data forget` erases you from all of them.",
    ]
    return Card((Head("Stored about you"), Text("\n".join(lines))), tone=Tone.QUIET)


def forgotten(events: int, campaigns: int) -> str:
    """Return how much was erased."""
    if not events:
        return "Done. Nothing about you is stored any more."
    return (
        f"Done: you are erased from {plural(events, 'entry', 'entries')} in "
        f"{plural(campaigns, 'history', 'histories')}. Nothing is stored about you any more."
    )
