"""Which files are pictures, by their first bytes, and how large they are."""

import re
import struct
from typing import TypeAlias

Picture: TypeAlias = tuple[str, int, int]
"""A picture's media type, and its size in pixels."""
KINDS = {"image/png", "image/jpeg", "image/gif", "image/webp"}

_PNG = re.compile(rb"\x89PNG\r\n\x1a\n.{4}IHDR(.{8})", re.DOTALL)
_GIF = re.compile(rb"GIF8[79]a(.{4})", re.DOTALL)
_WEBP = re.compile(
    rb"RIFF.{4}WEBP(?:VP8 .{10}(?P<lossy>.{4})|VP8L.{5}(?P<lossless>.{4})|VP8X.{8}(?P<extended>.{6}))",
    re.DOTALL,
)


def picture(content: bytes) -> Picture | None:
    """Return the kind and size of a PNG, JPEG, GIF or WebP; None for everything else."""
    if found := _PNG.match(content):
        return "image/png", *struct.unpack(">II", found[1])
    if found := _GIF.match(content):
        return "image/gif", *struct.unpack("<HH", found[1])
    if found := _WEBP.match(content):
        return "image/webp", *_webp(found.lastgroup, int.from_bytes(found[found.lastgroup or 0], "little"))
    return _jpeg(content) if content.startswith(b"\xff\xd8\xff") else None


def _webp(kind: str | None, bits: int) -> tuple[int, int]:
    if kind == "lossy":
        return bits & 0x3FFF, bits >> 16 & 0x3FFF
    width = 14 if kind == "lossless" else 24
    return (bits & (1 << width) - 1) + 1, (bits >> width & (1 << width) - 1) + 1


def _jpeg(content: bytes) -> Picture | None:
    at = 2
    while at + 9 <= len(content) and content[at] == 0xFF:
        marker, length = content[at + 1], int.from_bytes(content[at + 2 : at + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in {0xC4, 0xC8, 0xCC}:
            height, width = struct.unpack(">HH", content[at + 5 : at + 9])
            return "image/jpeg", width, height
        at += 2 + length
    return None
