"""A day, pauses between tries, and the times that Discord's ids hold."""

DAY = 86_400
"""Seconds."""
DISCORD_EPOCH = 1_420_070_400_000
"""Milliseconds from 1970 to the first moment that a Discord id can name."""
INSTANCE_BITS = 22
"""The lowest bits of a Discord id, below its milliseconds."""
_STEADY_SECONDS = 60


def next_pause(pause: int, well: float, longest: int) -> int:
    """Return the seconds to wait before another try: twice the pause before, 0 at first, up to the longest.

    After a try that went well for over a minute the pauses begin again with a second; `well` is in seconds.
    """
    return 1 if well > _STEADY_SECONDS else min(max(1, 2 * pause), longest)


def milliseconds_of(discord_id: int) -> int:
    """Return the time that one of Discord's ids holds, in milliseconds since 1970."""
    return (discord_id >> INSTANCE_BITS) + DISCORD_EPOCH


def time_of(discord_id: int) -> float:
    """Return the time that one of Discord's ids holds, in seconds since 1970."""
    return milliseconds_of(discord_id) / 1000


def first_id(milliseconds: int) -> int:
    """Return the smallest id of Discord's for a time, in milliseconds since 1970."""
    return max(0, milliseconds - DISCORD_EPOCH) << INSTANCE_BITS
