CREATE TABLE todos (
  -- AUTOINCREMENT: ids, and so URLs, of deleted todos are never reused.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  title TEXT NOT NULL,
  completed INTEGER NOT NULL,
  position INTEGER
);
