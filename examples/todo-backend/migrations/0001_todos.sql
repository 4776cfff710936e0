CREATE TABLE todos (
  -- Never given twice, so that the URL of a removed todo stays its own.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  title TEXT NOT NULL,
  completed INTEGER NOT NULL,
  position INTEGER
);
