"""Faults of the storage are shown on real databases."""

from tests.support.databases import database_url, postgresql_url

__all__ = ["database_url", "postgresql_url"]
