-- One dialect for D1, SQLite and PostgreSQL. Ids are UUIDs; timestamps are ISO 8601 strings as in JSON, such as
-- 2026-01-31T12:00:00.000Z, which sort chronologically.
CREATE TABLE organisations (
  id TEXT PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  -- Secret of received webhooks, encrypted.
  inbound_secret TEXT NOT NULL,
  created_at TEXT NOT NULL
);

-- Addresses are in lower case. One person may have accounts in several organisations.
CREATE TABLE users (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  email TEXT NOT NULL,
  name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('customer', 'agent', 'admin')),
  password_hash TEXT NOT NULL,
  created_at TEXT NOT NULL,
  UNIQUE (organisation_id, email)
);

CREATE TABLE tickets (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  customer_id TEXT NOT NULL REFERENCES users (id),
  assignee_id TEXT REFERENCES users (id),
  subject TEXT NOT NULL,
  body TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'pending', 'solved')),
  -- Id of the webhook that opened it: a webhook that is sent again opens no second ticket.
  source TEXT UNIQUE,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE INDEX tickets_by_time ON tickets (organisation_id, created_at, id);
CREATE INDEX tickets_by_customer ON tickets (customer_id, created_at, id);

CREATE TABLE comments (
  id TEXT PRIMARY KEY,
  ticket_id TEXT NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  author_id TEXT NOT NULL REFERENCES users (id),
  body TEXT NOT NULL,
  source TEXT UNIQUE,
  created_at TEXT NOT NULL
);
CREATE INDEX comments_by_ticket ON comments (ticket_id, created_at, id);

-- The content of an attachment is in a file store, under its id.
CREATE TABLE attachments (
  id TEXT PRIMARY KEY,
  ticket_id TEXT NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  uploader_id TEXT NOT NULL REFERENCES users (id),
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  size INTEGER NOT NULL,
  created_at TEXT NOT NULL
);
CREATE INDEX attachments_by_ticket ON attachments (ticket_id, created_at, id);

-- Receivers of webhooks that the helpdesk sends. The secret is encrypted.
CREATE TABLE webhooks (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  secret TEXT NOT NULL,
  created_at TEXT NOT NULL
);
CREATE INDEX webhooks_by_organisation ON webhooks (organisation_id);

-- Refresh tokens and revoked tokens on D1; processes on Node keep them in Redis. Milliseconds since the epoch.
CREATE TABLE tokens (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  expires_at BIGINT NOT NULL
);
