-- NOCASE: "ada" cannot register beside "Ada".
CREATE TABLE users (
  id INTEGER PRIMARY KEY,
  email TEXT NOT NULL COLLATE NOCASE UNIQUE,
  username TEXT NOT NULL COLLATE NOCASE UNIQUE,
  password_hash TEXT NOT NULL,
  bio TEXT,
  image TEXT
);

CREATE TABLE follows (
  follower_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  followed_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (follower_id, followed_id)
) WITHOUT ROWID;

-- Timestamps are ISO 8601 strings as in JSON, such as 2026-01-31T12:00:00.000Z, which sort chronologically.
CREATE TABLE articles (
  id INTEGER PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  body TEXT NOT NULL,
  author_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE INDEX articles_by_time ON articles (created_at, id);
CREATE INDEX articles_by_author ON articles (author_id, created_at, id);

CREATE TABLE article_tags (
  article_id INTEGER NOT NULL REFERENCES articles (id) ON DELETE CASCADE,
  tag TEXT NOT NULL,
  PRIMARY KEY (article_id, tag)
) WITHOUT ROWID;
CREATE INDEX articles_by_tag ON article_tags (tag, article_id);

CREATE TABLE favorites (
  article_id INTEGER NOT NULL REFERENCES articles (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (article_id, user_id)
) WITHOUT ROWID;
CREATE INDEX favorites_by_user ON favorites (user_id, article_id);

-- AUTOINCREMENT: ids of deleted comments are never reused.
CREATE TABLE comments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  article_id INTEGER NOT NULL REFERENCES articles (id) ON DELETE CASCADE,
  author_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  body TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE INDEX comments_by_article ON comments (article_id, id);
