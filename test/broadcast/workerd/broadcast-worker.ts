import { Application, json } from "espalier";
import { DurableObjectBroadcastAdapter, type ObjectNamespace } from "espalier/cloudflare";
import { broadcastAdapterSuite } from "espalier/testing";

export { BroadcastDurableObject } from "espalier/cloudflare";

interface Bindings {
  readonly BROADCAST: ObjectNamespace;
  readonly INSTANCE: ObjectNamespace;
}

/** Runs the conformance suite inside a request, and returns what failed. */
async function runSuite(namespace: ObjectNamespace): Promise<object> {
  const tests: [string, () => Promise<void>][] = [];
  broadcastAdapterSuite({
    name: "Durable Objects",
    describe: (_title, body) => body(),
    it: (title, body) => tests.push([title, body]),
    createAdapter: () => new DurableObjectBroadcastAdapter({ namespace }),
  });
  const failed: string[] = [];
  for (const [title, body] of tests) {
    await body().catch((error: unknown) => failed.push(`${title}: ${String(error)}`));
  }
  return { count: tests.length, failed };
}

function createApplication(env: Bindings): Application {
  const app = new Application();
  app.useBroadcast(new DurableObjectBroadcastAdapter({ namespace: () => env.BROADCAST }));
  return app;
}

/** An instance of the application that receives broadcasts: a Durable Object. */
export class Instance {
  readonly #app: Application;

  constructor(_state: object, env: Bindings) {
    this.#app = createApplication(env);
    const received: unknown[] = [];
    this.#app.onBroadcast("news", (payload) => received.push(payload));
    this.#app.getRouter().get("/received", () => json(received));
  }

  fetch(request: Request): Promise<Response> {
    return this.#app.fetch(request, {});
  }
}

export default {
  async fetch(request: Request, env: Bindings): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/suite") return Response.json(await runSuite(env.BROADCAST));
    if (pathname.startsWith("/send/")) {
      await createApplication(env).broadcast("news", pathname.slice(6));
      return Response.json(true);
    }
    const object = env.INSTANCE.get(env.INSTANCE.idFromName(pathname));
    return Response.json(await (await object.fetch("http://instance.invalid/received")).json());
  },
};
