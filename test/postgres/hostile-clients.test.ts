import { Application, RateLimitMiddleware, type RequestContext } from "espalier";
import {
  migratePostgres,
  PostgresLockStore,
  PostgresQueueAdapter,
  PostgresRateLimitStore,
} from "espalier/postgres";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hostileNames } from "../support/hostile-names.ts";
import { noPostgres, type PostgresServer, startPostgres } from "../support/postgres-server.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";

describe.skipIf(noPostgres !== undefined)(
  `hostile clients of PostgreSQL ${noPostgres ?? ""}`,
  () => {
    let server: PostgresServer;
    let client: Pool;

    beforeAll(async () => {
      server = await startPostgres();
      client = new Pool({ connectionString: server.url });
      await migratePostgres({ client });
    }, 60_000);
    afterAll(async () => {
      await client?.end();
      await server?.stop();
    });

    function createApp() {
      const logger = createRecordingLogger();
      const app = new Application({ logger });
      app.useLockStore(new PostgresLockStore({ client }));
      app.useQueue(new PostgresQueueAdapter({ client, notifications: false }));
      const store = new PostgresRateLimitStore({ client });
      const key = async (ctx: RequestContext): Promise<string> => {
        await ctx.parseBody();
        return ctx.params["key"] ?? textOf(ctx.body);
      };
      const limiter = new RateLimitMiddleware({ limit: 1, key, store });
      const router = app.getRouter();
      router.get("/limited/:key", () => new Response("ok"), { middleware: [limiter] });
      router.post("/limited", () => new Response("ok"), { middleware: [limiter] });
      router.post("/locked", async ({ body }) => {
        const lock = await app.lock(textOf(body));
        return Response.json(await lock?.release());
      });
      router.post("/jobs", async ({ body }) => {
        const queue = app.getQueue();
        const id = textOf(body);
        const job = await queue.find(id);
        return Response.json([job ?? null, await queue.cancel(id), await queue.retryFailed(id)]);
      });
      const get = (path: string) => app.fetch(new Request(`http://localhost${path}`));
      const headers = { "content-type": "application/json" };
      const post = (path: string, text: string) =>
        app.fetch(
          new Request(`http://localhost${path}`, {
            method: "POST",
            headers,
            body: JSON.stringify({ text }),
          }),
        );
      return { logger, get, post };
    }

    test("NUL in a path does not open the breaker of the limiter", async () => {
      const { get, logger } = createApp();
      for (let index = 0; index < 10; index += 1) {
        expect((await get(`/limited/${index}%00`)).status).toBe(200);
        expect((await get(`/limited/${index}%00`)).status).toBe(429);
      }
      expect((await get("/limited/ordinary")).status).toBe(200);
      expect(logger.lines).toEqual([]);
    });

    test("any key in a body is limited for itself", async () => {
      const { post, logger } = createApp();
      for (const status of [200, 429]) {
        for (const key of hostileNames) {
          expect((await post("/limited", key)).status, JSON.stringify(key)).toBe(status);
        }
      }
      expect(logger.lines).toEqual([]);
    });

    test("any name in a body can be locked", async () => {
      const { post, logger } = createApp();
      for (const name of hostileNames) {
        expect(await (await post("/locked", name)).json(), JSON.stringify(name)).toBe(true);
      }
      expect(logger.lines).toEqual([]);
    });

    test("any id in a body can be looked up", async () => {
      const { post, logger } = createApp();
      for (const id of hostileNames) {
        const response = await post("/jobs", id);
        expect(await response.json(), JSON.stringify(id)).toEqual([null, false, false]);
      }
      expect(logger.lines).toEqual([]);
    });
  },
);

function textOf(body: unknown): string {
  return (body as { readonly text: string }).text;
}
