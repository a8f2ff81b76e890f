"""Evenhand: a Discord bot whose dice are fair, true-random, shared and checkable."""

__version__ = "1.0.0"
