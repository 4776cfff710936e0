import type { D1Database } from "@cloudflare/workers-types";
import {
  DurableObjectBroadcastAdapter,
  DurableObjectLockStore,
  DurableObjectRateLimitStore,
  type KvNamespace,
  type ObjectNamespace,
  type QueueProducer,
} from "espalier/cloudflare";
import { createHelpdesk } from "./app.ts";
import type { Platform } from "./platform.ts";
import { d1Database } from "./workers/d1-database.ts";
import { createD1TokenStore } from "./workers/d1-token-store.ts";
import { type Bucket, R2Files } from "./workers/r2-files.ts";

export {
  BroadcastDurableObject,
  LockDurableObject,
  RateLimitDurableObject,
} from "espalier/cloudflare";

declare module "espalier" {
  interface Register {
    env: {
      readonly DB: D1Database;
      readonly FILES: Bucket;
      readonly KV: KvNamespace;
      readonly QUEUE: QueueProducer;
      readonly BROADCAST: ObjectNamespace;
      readonly LOCK: ObjectNamespace;
      readonly RATE_LIMIT: ObjectNamespace;
    };
  }
}

/** Cloudflare Workers. The queue and the cache use the bindings QUEUE and KV by their names. */
const workers: Platform = {
  database: (app, env) => d1Database(env.DB, (jobs) => app.getQueue().enqueueMany(jobs)),
  files: (env) => new R2Files(env.FILES),
  tokens: (app) => createD1TokenStore(app.env.DB),
  rateLimits: new DurableObjectRateLimitStore(),
  connect(app) {
    app.useLockStore(new DurableObjectLockStore({ namespace: () => app.env.LOCK }));
    app.useBroadcast(new DurableObjectBroadcastAdapter({ namespace: () => app.env.BROADCAST }));
  },
};

export default createHelpdesk(workers).worker();
