"""What is said with an export."""

_CHECK = "Anyone can check it: `python -m bot verify` replays it and needs no Discord."


def progress(done: int, of: int) -> str:
    """How far it is."""
    return f"Writing: {done:,} of {of:,} …"


def told(events: int, hidden: int, form: str, number: int, of: int) -> str:
    """The words beside a file: what is in it, and in the first one what to do with it."""
    part = f"Part {number} of {of}." if of > 1 else ""
    if number > 1:
        return part
    history = "The history: 1 event." if events == 1 else f"The history: {events:,} events."
    left_out = ""
    if hidden:
        rolls = "1 roll is" if hidden == 1 else f"{hidden:,} rolls are"
        left_out = f"{rolls} hidden from you and left out."
    check = _CHECK if form == "json" else ""
    return " ".join(sentence for sentence in (history, part, left_out, check) if sentence)
