import { FastResponse, type Server, type ServerRequest, serve as serveWithSrvx } from "srvx";
import { useResponseClass } from "#response";
import { badHost, createHostCheck } from "../../http/host-header.ts";
import { createProblemDetailsResponse } from "../../http/problem-details.ts";
import { detectRuntime } from "../../platform/runtime.ts";
import { answerHandshake, type Upgrade } from "./answer-handshake.ts";
import { type BunUpgrades, bunWebSocketHandlers, upgradeOnBun } from "./bun-upgrade.ts";
import type { RunningServer, ServeOptions } from "./contract.ts";
import { upgradeOnDeno } from "./deno-upgrade.ts";
import { withoutLength } from "./head-response.ts";
import { continueInOrder } from "./node-continue.ts";
import { hasValidHost, withNodeBody } from "./node-request.ts";
import { createWholeResponseClass, type NodeResponseClass } from "./node-response.ts";
import { acceptUpgrades, type NodeServer } from "./node-upgrade.ts";

/** How often idle connections are looked for while the server closes, in milliseconds. */
const closingIntervalMs = 25;

/** Binds a port on Node, Deno or Bun; resolves once it is bound, rejects when it cannot be. */
export async function serveOnNode(options: ServeOptions): Promise<RunningServer> {
  useResponseClass(FastResponse);
  const isValid = createHostCheck();
  const answer = (request: ServerRequest): Response | Promise<Response> =>
    hasValidHost(request, isValid) ? options.fetch(withNodeBody(request)) : badHost();
  const server = serveWithSrvx({
    port: options.port,
    hostname: options.hostname,
    silent: true,
    gracefulShutdown: false,
    node: await nodeOptions(),
    bun: { websocket: bunWebSocketHandlers },
    fetch: (request) => {
      const upgrade = upgradeOf(request);
      if (upgrade !== undefined) return answerHandshake(request, answer, upgrade);
      return isHeadElsewhere(request) ? answerHead(request, answer) : answer(request);
    },
    error: () => createProblemDetailsResponse({ status: 500 }),
  });
  const node = server.node?.server as NodeServer | undefined;
  if (node !== undefined) continueInOrder(node);
  const upgrades = node === undefined ? undefined : acceptUpgrades(node, answer);
  await Promise.all([server.ready(), upgrades]);
  const url = new URL(server.url ?? `http://${options.hostname}:${options.port}/`);
  const port = Number(url.port === "" ? 80 : url.port);
  return {
    port,
    hostname: options.hostname,
    url: urlOf(options.hostname, port),
    close: () => close(server),
  };
}

/** What Node's server is made with; nothing elsewhere. */
async function nodeOptions(): Promise<object> {
  if (detectRuntime() !== "node") return {};
  const { ServerResponse } = await import("node:http");
  return { ServerResponse: createWholeResponseClass(ServerResponse as NodeResponseClass) };
}

/**
 * How to make a WebSocket of a request that asks for it, on Deno and Bun; Node has an event of its own
 * for those.
 */
function upgradeOf(request: ServerRequest): Upgrade | undefined {
  const { runtime } = request;
  if (runtime === undefined || runtime.name === "node") return undefined;
  if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") return undefined;
  const bun = runtime.bun?.server;
  return bun === undefined ? upgradeOnDeno(request) : upgradeOnBun(request, bun as BunUpgrades);
}

/** Node says no length that it was not told. */
function isHeadElsewhere({ method, runtime }: ServerRequest): boolean {
  return method === "HEAD" && runtime?.name !== "node";
}

async function answerHead(
  request: ServerRequest,
  answer: (request: ServerRequest) => Response | Promise<Response>,
): Promise<Response> {
  return withoutLength(await answer(request));
}

/** How to reach the server from this machine: a server on every address is reached by the usual name. */
function urlOf(hostname: string, port: number): string {
  const isEverywhere = hostname === "0.0.0.0" || hostname === "::";
  const host = isEverywhere ? "localhost" : hostname.includes(":") ? `[${hostname}]` : hostname;
  return `http://${host}:${port}/`;
}

/**
 * Closes a server when the requests in flight are answered.
 *
 * Node looks for idle connections once, when it is told to close: a keep-alive connection whose request
 * was in flight then would be held until its time-out. So they are looked for until all are gone.
 */
async function close(server: Server): Promise<void> {
  const node = server.node?.server;
  const closeIdle = (): void => {
    if (node !== undefined && "closeIdleConnections" in node) node.closeIdleConnections();
  };
  const interval = setInterval(closeIdle, closingIntervalMs);
  try {
    await server.close();
  } finally {
    clearInterval(interval);
  }
}
