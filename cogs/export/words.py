"""Texts of /export."""

from bot.campaign.imports import ImportResult
from bot.services.exports import Export
from bot.words.saying import phrase, refusal, say, say_many, with_heading
from bot.words.systems import tag
from bot.words.text import code, cut, footing, footnote, lines_within, listed, mention, shortened

_LIMIT = 1_200
_NAME, _WHY, _NAMES = 40, 200, 600
CSV = phrase("That file is for a spreadsheet. I bring back what `/export format:json` gives.")
_CHECK = phrase("Anyone can check it: `evenhand verify` replays it and needs no Discord.")
_TABLE = phrase("To check it, take `/export format:json`.")
_SAVED = phrase("Saved for you: {rolls}: {names}")
_SHARED = phrase("Saved for everybody here: {rolls}: {names}")
_STAYS = phrase("-# What rollers remember, settings and the history stay where they are.")


def progress(done: int, total: int) -> str:
    """Return the number of written entries, of `total`."""
    return say("Writing: {done:,} of {of:,} …", done=done, of=total)


def exported(export: Export, form: str, number: int) -> str:
    """Return the text beside a file; the first one describes the export and its use."""
    hidden, count = export.hidden, len(export.files)
    part = say("Part {number} of {of}.", number=number, of=count) if count > 1 else ""
    if number > 1:
        return part
    history = say("The history: {events}.", events=say_many("{n} entry", "{n:,} entries", export.events))
    singular = "{n} roll is hidden from you and left out."
    plural = "{n:,} rolls are hidden from you and left out."
    left_out = say_many(singular, plural, hidden) if hidden else ""
    check = say(_CHECK if form == "json" else _TABLE)
    text = " ".join(filter(None, (history, part, left_out, check)))
    return f"{text}\n{footing(export.checkpoint.line)}"


def imported(brought: ImportResult) -> str:
    """Return the private summary of an import, with its omissions."""
    lines: list[str] = []
    if brought.rollers:
        rollers = say_many("{n} roller", "{n:,} rollers", len(brought.rollers))
        lines.append(say("Brought in: {rollers}.", rollers=rollers))
    for names, text in ((brought.shared, _SHARED), (brought.saved, _SAVED)):
        rolls = say_many("{n} roll", "{n:,} rolls", len(names))
        lines += [say(text, rolls=rolls, names=listed(names, _NAMES))] if names else []
    if not lines:
        lines.append(say("Nothing was brought in."))
    if brought.skipped:
        skipped = [
            with_heading(code(s.name, _NAME), shortened(refusal(s.why), _WHY)) for s in brought.skipped
        ]
        lines += [say("**Not brought in**"), lines_within(skipped, _LIMIT)]
    return "\n".join([*lines, say(_STAYS)])


def announced(brought: ImportResult) -> str:
    """Return the public message of imported rollers; "" if there are none."""
    if not brought.rollers:
        return ""
    first, last = brought.rollers[0][0], brought.rollers[-1][0]
    rollers = say_many("{n} roller", "{n:,} rollers", len(brought.rollers))
    heading = say("{player} brought in {rollers}:", player=mention(first.user_id), rollers=rollers)
    lines = [f"{code(event.roller, _NAME)} — {cut(tag(system), _WHY)}" for event, system in brought.rollers]
    return f"{heading}\n{lines_within(lines, _LIMIT)}\n{footnote(last, first=first)}"
