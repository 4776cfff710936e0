import type { ServerRequest } from "srvx";
import type { HostCheck } from "../../http/host-header.ts";
import { createNodeBody, readNodeBody } from "./node-body.ts";

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
