import * as workers from "cloudflare:workers";
import type { ProcessEnvironment } from "../process-environment.ts";

/** Returns the Worker's bindings and variables; undefined under an old compatibility date. */
export function platformBindings(): Readonly<Record<string, unknown>> | undefined {
  return workers.env;
}

/**
 * Keeps the current request alive until `promise` is settled.
 *
 * @returns false if unsupported: an old runtime, or outside a request
 */
export function keepAlive(promise: Promise<unknown>): boolean {
  try {
    workers.waitUntil?.(promise);
    return workers.waitUntil !== undefined;
  } catch {
    return false;
  }
}

// What a Worker does is known, and needs no detection.

/** `fetch` passes bodies through unchanged, and handles their coding when they are sent. */
export function stripContentEncoding(response: Response): Response {
  return response;
}

/** The platform sends no `Content-Length` of its own. */
export function completeHead(response: Response): Response {
  return response;
}

/** The Host header is read: see `isFromEdge`. */
export function clearHostOf(_url: string): undefined {}

/** `CompressionStream` cannot be flushed; Cloudflare's edge compresses by itself. */
export const flushingCompression: undefined = undefined;

/**
 * Returns `true` if a response was created with a stream of JavaScript. The platform's own streams, such as those of
 * `fetch` and of a string, can be read into a given buffer, and so can a stream with `type: "bytes"`.
 */
export function hasStreamBody(response: Response): boolean {
  const { body } = response;
  if (body === null) return false;
  try {
    body.getReader({ mode: "byob" }).releaseLock();
    return false;
  } catch {
    return true;
  }
}

export function detectRuntime(): "workerd" {
  return "workerd";
}

/** Returns the environment variables, if Node compatibility is enabled. */
export function readProcessEnvironment(): ProcessEnvironment {
  const { process } = globalThis as { process?: { env?: ProcessEnvironment } };
  return process?.env ?? {};
}

/**
 * Returns `true` if Cloudflare's edge has delivered a request: it accepts only valid hosts. No client of workerd can set
 * `cf`; Miniflare, which sets it too, adds no `CF-Ray`.
 */
export function isFromEdge(request: Request): boolean {
  const { cf } = request as { readonly cf?: unknown };
  return typeof cf === "object" && cf !== null && request.headers.has("cf-ray");
}

export function addressReaderOf(_request: Request, _given: object): undefined {}

/** Undefined: the console of a Worker is not a terminal. */
export const formatForTerminal: undefined = undefined;

/** The signal of a request is aborted when its client has left. */
export function isBodyUnavailable(_error: Error): boolean {
  return false;
}
