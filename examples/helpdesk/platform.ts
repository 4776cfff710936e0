import type { Application, Env, RateLimitStore, TokenStore } from "espalier";
import type { Database } from "./database/database.ts";
import type { FileStore } from "./files/file-store.ts";

/** Everything that differs between platforms. `node/` and `workers/` implement it. */
export interface Platform {
  /** Returns the database; called once for each request and job, because a binding of a Worker belongs to one. */
  database(app: Application, env: Env): Database;
  /** Returns the store of attachments; called once for each request. */
  files(env: Env): FileStore;
  /** Returns the store of refresh tokens and revoked tokens. */
  tokens(app: Application): TokenStore;
  /** Store of the rate limits; without it they are counted in this process. */
  readonly rateLimits?: RateLimitStore;
  /** Sets the engines that instances share, such as the queue; without it they are in this process. */
  connect?(app: Application): void;
}
