"""Mappings that remember the newest entries only."""

from typing import TypeVar

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class Newest(dict[_Key, _Value]):
    """A mapping that drops its oldest entry where setting one makes them more than `most`."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most
        self.dropped: _Key | None = None
        """The key of the entry that was dropped last."""

    def __setitem__(self, key: _Key, value: _Value) -> None:
        self.pop(key, None)  # an entry that is set again is the newest
        super().__setitem__(key, value)
        if len(self) > self.most:
            self.dropped = next(iter(self))
            del self[self.dropped]
