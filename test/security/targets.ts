import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import type { Application } from "espalier";
import { afterAll, beforeAll, describe } from "vitest";
import { startWorkerd } from "../support/workerd.ts";
import { createHostileTarget } from "./application.ts";

export interface HostileCall {
  readonly method?: string;
  /** Sent unchanged, except that the URL parser normalises it in process. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Uint8Array;
  /** Sends the body in pieces of this size, without Content-Length. */
  readonly chunkBytes?: number;
}

export interface HostileAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

export type SendHostile = (call: HostileCall) => Promise<HostileAnswer>;

export type TargetName = "in process" | "on Node" | "in workerd";

interface Target {
  readonly send: SendHostile;
  /** Port; 0 in process. */
  readonly port: number;
  stop(): Promise<unknown>;
}

/** An application that can be created here, and in a separate worker. */
export interface TargetApplication {
  create(): Application;
  /** File of the worker, from the root of the repository. */
  readonly worker: string;
  /** Bindings of the worker. */
  readonly env?: Readonly<Record<string, unknown>>;
}

const hostileTarget: TargetApplication = {
  create: createHostileTarget,
  worker: "test/security/worker.ts",
};

/**
 * Runs the same tests against an application in process, behind a socket on Node, and in workerd.
 *
 * `tests` receives the target's port as a function, to be called inside tests; it is 0 in process.
 */
export function describeTargets(
  title: string,
  tests: (send: SendHostile, name: TargetName, port: () => number) => void,
  application: TargetApplication = hostileTarget,
): void {
  describe.each([
    ["in process", startInProcess],
    ["on Node", startOnNode],
    ["in workerd", startInWorkerd],
  ] as const)(`${title} %s`, (name, start) => {
    let target: Target;
    beforeAll(async () => {
      target = await start(application);
    });
    afterAll(() => target.stop());
    tests(
      (call) => target.send(call),
      name,
      () => target.port,
    );
  });
}

async function startInProcess({ create }: TargetApplication): Promise<Target> {
  const app = create();
  const send: SendHostile = async (call) => {
    const response = await app.fetch(new Request(`http://localhost${call.path}`, initOf(call)));
    const { status, headers } = response;
    return { status, headers, body: await response.text() };
  };
  return { send, port: 0, stop: () => app.stop() };
}

async function startOnNode({ create }: TargetApplication): Promise<Target> {
  const app = create();
  const { port } = await app.listen({ port: 0, gracefulSignals: false });
  const { send, close } = socketSender(port);
  return {
    send,
    port,
    stop: () => {
      close();
      return app.stop();
    },
  };
}

async function startInWorkerd({ worker, env }: TargetApplication): Promise<Target> {
  const mf = await startWorkerd(worker, env === undefined ? {} : { env });
  const port = Number((await mf.ready).port);
  const { send, close } = socketSender(port);
  return {
    send,
    port,
    stop: () => {
      close();
      return mf.dispose();
    },
  };
}

function initOf({ method = "GET", headers = {}, body, chunkBytes }: HostileCall): RequestInit {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((text): [string, string] => [name, text]),
  );
  const init: RequestInit & { duplex?: "half" } = { method, headers: pairs };
  if (body !== undefined && chunkBytes !== undefined) {
    init.body = chunked(bytesOf(body), chunkBytes);
    init.duplex = "half";
  } else if (body !== undefined) init.body = bytesOf(body);
  return init;
}

function bytesOf(body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body);
}

function chunked(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  let offset = 0;
  return new ReadableStream({
    pull(controller) {
      if (offset >= bytes.length) controller.close();
      else controller.enqueue(bytes.slice(offset, offset + size));
      offset += size;
    },
  });
}

/** Sends over persistent connections, as a reverse proxy does. */
function socketSender(port: number): { readonly send: SendHostile; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const send: SendHostile = ({ method = "GET", path, headers = {}, body, chunkBytes }) =>
    new Promise((resolve, reject) => {
      const options = { host: "127.0.0.1", port, path, method, agent, headers: { ...headers } };
      const outgoing = httpRequest(options, (response) => {
        collect(response).then(resolve, reject);
      });
      outgoing.on("error", reject);
      if (body === undefined) {
        outgoing.end();
        return;
      }
      const bytes = bytesOf(body);
      if (chunkBytes === undefined) {
        outgoing.setHeader("content-length", bytes.length);
        outgoing.end(bytes);
        return;
      }
      for (let offset = 0; offset < bytes.length; offset += chunkBytes) {
        outgoing.write(bytes.subarray(offset, offset + chunkBytes));
      }
      outgoing.end();
    });
  return { send, close: () => agent.destroy() };
}

async function collect(response: IncomingMessage): Promise<HostileAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const headers = new Headers();
  for (let index = 0; index < response.rawHeaders.length; index += 2) {
    headers.append(response.rawHeaders[index] ?? "", response.rawHeaders[index + 1] ?? "");
  }
  return {
    status: response.statusCode ?? 0,
    headers,
    body: Buffer.concat(chunks).toString(),
  };
}
