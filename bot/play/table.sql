-- The table's own file. A change of it needs another VERSION in store.py.
CREATE TABLE document (kind TEXT, id INTEGER, data TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID;
CREATE TABLE message (id INTEGER PRIMARY KEY, channel INTEGER NOT NULL, viewer INTEGER, data TEXT NOT NULL);
CREATE INDEX message_channel ON message (channel, id);
CREATE TABLE file (
    id INTEGER PRIMARY KEY, data TEXT NOT NULL, content BLOB NOT NULL,
    message INTEGER REFERENCES message ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX file_message ON file (message);
