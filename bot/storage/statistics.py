"""What SQLite's planner is told of the tables: what they hold once they are large.

Without it a campaign is taken for ten events, and reading all of them for as good as an index. Told once, the
plans stay the same however a file grows. Source: https://www.sqlite.org/fileformat2.html#stat1tab.
"""

from sqlalchemy import Connection, text

_ROWS = "INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (:table, :index, :rows)"
# Of each index: its rows, and how many of them share the first column, the first two, and so on.
_EVENTS = {
    "event": "1000000 10000 1",
    "ix_event_user": "1000000 10000 500 1",
    "ix_event_roller": "1000000 10000 1000 1",
    "ix_event_target": "200000 2000 5 4",
    "ix_event_person": "1000000 5000 1",
}


def tell_planner(connection: Connection) -> None:
    """Write down the statistics of a SQLite file, as ANALYZE would."""
    connection.execute(text("ANALYZE"))
    connection.execute(text("DELETE FROM sqlite_stat1"))
    rows = [{"table": "event", "index": index, "rows": rows} for index, rows in _EVENTS.items()]
    connection.execute(text(_ROWS), rows)
