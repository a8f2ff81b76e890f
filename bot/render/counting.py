"""Numbers and things in words."""


def plural(n: int, what: str) -> str:
    """So many of something: 1 roll, 2,000 rolls."""
    return f"{n:,} {what}" if n == 1 else f"{n:,} {what}s"


def share(chance: float) -> str:
    """A chance as people say it: about 1 in 8, about 6 in 10, nearly all."""
    if chance >= 0.95:
        return "nearly all"
    if chance > 0.5:
        return f"about {min(9, round(10 * chance))} in 10"
    if chance < 0.0005:
        return "fewer than 1 in 2,000"
    return f"about 1 in {round(1 / chance):,}"


def capital(text: str) -> str:
    """The text as a sentence begins."""
    return text[:1].upper() + text[1:]
