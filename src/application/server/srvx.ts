import { FastResponse, type Server, type ServerRequest, serve as serveWithSrvx } from "srvx";
import { useResponseClass } from "#response";
import { badHost, createHostCheck, type HostCheck } from "../../http/host-header.ts";
import { createProblemDetailsResponse } from "../../http/problem-details.ts";
import { detectRuntime } from "../../platform/runtime.ts";
import { answerHandshake, type Upgrade } from "./answer-handshake.ts";
import { type BunUpgrades, bunWebSocketHandlers, upgradeOnBun } from "./bun-upgrade.ts";
import type { RunningServer, ServeOptions } from "./contract.ts";
import { upgradeOnDeno } from "./deno-upgrade.ts";
import { withoutLength } from "./head-response.ts";
import { createNodeBody, readNodeBody } from "./node-body.ts";
import { continueInOrder } from "./node-continue.ts";
import { createWholeResponseClass, type NodeResponseClass } from "./node-response.ts";
import { acceptUpgrades, type NodeServer } from "./node-upgrade.ts";

/** How often idle connections are looked for while the server closes, in milliseconds. */
const closingIntervalMs = 25;

/** Binds a port on Node, Deno or Bun; resolves once it is bound, rejects when it cannot be. */
export async function serve(options: ServeOptions): Promise<RunningServer> {
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

/** Node keeps the first of two Host headers and drops the other; a proxy may have routed by that one. */
export function hasValidHost(request: ServerRequest, isValid: HostCheck): boolean {
  const node = request.runtime?.node?.req;
  if (node === undefined) return isValid(request.headers.get("host") ?? new URL(request.url).host);
  if (node.httpVersionMajor !== 1) return true;
  return isValid(node.headers.host ?? null) && countOf("host", node.rawHeaders) === 1;
}

function countOf(name: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const given = rawHeaders[i];
    // Most names are of another length, and need no lower case to be seen to be others.
    if (given?.length === name.length && given.toLowerCase() === name) count += 1;
  }
  return count;
}

/** A request of Node's server, with what it remembers of its body. */
interface NodeServerRequest extends ServerRequest {
  readBytes?(limitBytes: number): Promise<Uint8Array<ArrayBuffer>>;
  [streamed]?: ReadableStream;
}

const streamed: unique symbol = Symbol("streamed body");

/** One for all requests, so that engines see one shape. */
const nodeBody: PropertyDescriptor & ThisType<NodeServerRequest> = {
  configurable: true,
  get() {
    const { req, res } = nodeOf(this);
    this[streamed] ??= createNodeBody(req, res);
    return this[streamed];
  },
};

function readBytes(this: NodeServerRequest, limitBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  return readNodeBody(nodeOf(this).req, limitBytes);
}

/** On Node, gives a request that may have a body one that can be left unread, and a short way to it. */
export function withNodeBody(request: NodeServerRequest): ServerRequest {
  const { method } = request;
  if (request.runtime?.node === undefined || method === "GET" || method === "HEAD") return request;
  request.readBytes = readBytes;
  return Object.defineProperty(request, "body", nodeBody);
}

/** Node's own two objects behind a request of its server. */
function nodeOf({ runtime }: ServerRequest): NonNullable<NonNullable<typeof runtime>["node"]> {
  return runtime?.node as NonNullable<NonNullable<typeof runtime>["node"]>; // asked when it was made
}

interface ProcessWithSignals {
  once(signal: string, listener: () => void): unknown;
  off(signal: string, listener: () => void): unknown;
  exit(code: number): never;
}

/** See {@link ServerModule.stopOnSignals}. A second signal ends the process at once. */
export function stopOnSignals(stop: () => Promise<void>): () => void {
  // Node's process; Deno and Bun have the same one under this name.
  const { process } = globalThis as unknown as { process: ProcessWithSignals };
  const onSignal = (): void => {
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  const signals = ["SIGINT", "SIGTERM"];
  for (const signal of signals) process.once(signal, onSignal);
  return () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
}
