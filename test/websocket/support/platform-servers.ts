import type { Application } from "espalier";
import { vi } from "vitest";

/** In-process handler of a server. */
export type Answer = (request: Request) => Promise<Response | undefined>;

type Handler<Beside> = (request: Request, beside: Beside) => Response | Promise<Response>;

/** Makes `listen()` detect Deno, with the given upgrade function; returns the handler. */
export async function listenOnDeno(app: Application, upgradeWebSocket: unknown): Promise<Answer> {
  let handler: Handler<object> | undefined;
  vi.stubGlobal("navigator", { userAgent: "Deno/2.9.6" });
  vi.stubGlobal("Deno", {
    upgradeWebSocket,
    serve(_options: object, given: Handler<object>) {
      handler = given;
      return { addr: { port: 8000 }, shutdown: () => Promise.resolve() };
    },
  });
  await app.listen({ port: 0, gracefulSignals: false });
  return async (request) => await handler?.(request, { remoteAddr: { hostname: "127.0.0.1" } });
}

/** Makes `listen()` detect Bun, with the given upgrade function. */
export async function listenOnBun(
  app: Application,
  upgrade: (request: Request, options: object) => boolean,
): Promise<{ readonly answer: Answer; readonly websocket: unknown }> {
  let given: { readonly fetch: Handler<object>; readonly websocket: unknown } | undefined;
  const server = {
    port: 8000,
    upgrade,
    requestIP: () => ({ address: "127.0.0.1" }),
    stop: () => Promise.resolve(),
  };
  vi.stubGlobal("navigator", { userAgent: "Bun/1.4.5" });
  vi.stubGlobal("Bun", {
    serve(options: NonNullable<typeof given>) {
      given = options;
      return server;
    },
  });
  await app.listen({ port: 0, gracefulSignals: false });
  return {
    answer: async (request) => await given?.fetch(request, server),
    websocket: given?.websocket,
  };
}
