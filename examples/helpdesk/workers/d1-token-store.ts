import type { D1Database } from "@cloudflare/workers-types";
import type { TokenStore } from "espalier";

/** Stores tokens in a table of D1. Each method is one statement, so that a refresh token is valid once. */
export function createD1TokenStore(database: D1Database): TokenStore {
  return {
    async get(key) {
      const row = await database
        .prepare("SELECT value FROM tokens WHERE key = ? AND expires_at > ?")
        .bind(key, Date.now())
        .first<{ value: string }>();
      return row?.value;
    },
    async set(key, value, ttlMs = Number.MAX_SAFE_INTEGER - Date.now()) {
      await database
        .prepare("INSERT OR REPLACE INTO tokens (key, value, expires_at) VALUES (?, ?, ?)")
        .bind(key, value, Math.ceil(Date.now() + ttlMs))
        .run();
    },
    async compareAndSet(key, expected, value, ttlMs) {
      const { meta } = await database
        .prepare("UPDATE tokens SET value = ?, expires_at = ? WHERE key = ? AND value = ?")
        .bind(value, Math.ceil(Date.now() + ttlMs), key, expected)
        .run();
      return meta.changes === 1;
    },
  };
}
