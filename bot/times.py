"""Times: pauses between retries, and the times in Discord's ids."""

DAY = 86_400
"""Seconds."""
DISCORD_EPOCH = 1_420_070_400_000
"""Milliseconds from 1970 to the time of the Discord id 0."""
INSTANCE_BITS = 22
"""The number of low bits of a Discord id, below its milliseconds."""
_STEADY_SECONDS = 60


def next_pause(pause: int, uptime: float, longest: int) -> int:
    """Return the seconds to wait before the next try: twice the previous `pause`, from 1 to `longest`.

    After a try that worked for over a minute (`uptime`, in seconds) the pauses start again at 1.
    """
    return 1 if uptime > _STEADY_SECONDS else min(max(1, 2 * pause), longest)


def milliseconds_of(discord_id: int) -> int:
    """Return the time in a Discord id, in milliseconds since 1970."""
    return (discord_id >> INSTANCE_BITS) + DISCORD_EPOCH


def time_of(discord_id: int) -> float:
    """Return the time in a Discord id, in seconds since 1970."""
    return milliseconds_of(discord_id) / 1000


def first_id(milliseconds: int) -> int:
    """Return the smallest Discord id of a time in milliseconds since 1970."""
    return max(0, milliseconds - DISCORD_EPOCH) << INSTANCE_BITS
