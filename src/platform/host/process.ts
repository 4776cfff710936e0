import { detectRuntime } from "../runtime.ts";
import { hostBeforePath } from "./host-before-path.ts";
import { withUnreadBody } from "./unread-body.ts";

export { readProcessEnvironment } from "../process-environment.ts";
export { detectRuntime } from "../runtime.ts";
export { stripContentEncoding } from "./content-coding.ts";
export { flushingCompression } from "./flushing-compression.ts";
export { addressReaderOf } from "./socket-address.ts";
export { hasStreamBody } from "./stream-body.ts";
export { formatForTerminal } from "./terminal.ts";
export { isBodyUnavailable } from "./unavailable-body.ts";

const runtime = detectRuntime();

/** Completes the response to HEAD, which has no body, for servers that compute its length. */
export const completeHead: (response: Response) => Response =
  runtime === "deno" || runtime === "bun" ? withUnreadBody : (response) => response;

/** Returns the Host header from a URL, where URLs begin with it and servers allow only one: on Deno. */
export const clearHostOf: (url: string) => string | undefined =
  runtime === "deno" ? hostBeforePath : () => undefined;

/** Returns undefined: a process has variables but no bindings; see `readProcessEnvironment`. */
export function platformBindings(): Readonly<Record<string, unknown>> | undefined {
  return undefined;
}

/** Returns false: a process stays alive while it has work, so no platform call is needed. */
export function keepAlive(_promise: Promise<unknown>): boolean {
  return false;
}

/** Returns false: no edge is in front of a process that it can rely on. */
export function isFromEdge(_request: Request): boolean {
  return false;
}
