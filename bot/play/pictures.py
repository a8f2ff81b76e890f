"""Which files are pictures, by their first bytes, and how large they are."""

import struct
from typing import NamedTuple


class Picture(NamedTuple):
    """A picture's media type, and its size in pixels."""

    type: str
    width: int
    height: int


def picture(content: bytes) -> Picture | None:
    """Return the kind and size of a PNG, JPEG, GIF or WebP; None for everything else."""
    if content.startswith(b"\x89PNG\r\n\x1a\n") and content[12:16] == b"IHDR" and len(content) >= 24:
        return Picture("image/png", *struct.unpack(">II", content[16:24]))
    if content[:6] in {b"GIF87a", b"GIF89a"} and len(content) >= 10:
        return Picture("image/gif", *struct.unpack("<HH", content[6:10]))
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP" and len(content) >= 30:
        return _webp(content)
    return _jpeg(content) if content.startswith(b"\xff\xd8\xff") else None


def _webp(content: bytes) -> Picture | None:
    match content[12:16]:
        case b"VP8 ":
            width, height = struct.unpack("<HH", content[26:30])
            return Picture("image/webp", width & 0x3FFF, height & 0x3FFF)
        case b"VP8L":
            bits = int.from_bytes(content[21:25], "little")
            return Picture("image/webp", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        case b"VP8X":
            width, height = (int.from_bytes(content[at : at + 3], "little") + 1 for at in (24, 27))
            return Picture("image/webp", width, height)
        case _:
            return None


def _jpeg(content: bytes) -> Picture | None:
    at = 2
    while at + 9 <= len(content) and content[at] == 0xFF:
        marker, length = content[at + 1], int.from_bytes(content[at + 2 : at + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in {0xC4, 0xC8, 0xCC}:
            height, width = struct.unpack(">HH", content[at + 5 : at + 9])
            return Picture("image/jpeg", width, height)
        at += 2 + length
    return None
