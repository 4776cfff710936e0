import * as workers from "cloudflare:workers";
import type { ProcessEnvironment } from "../process-environment.ts";

/** The bindings and variables of this worker; undefined under an old compatibility date. */
export function platformBindings(): Readonly<Record<string, unknown>> | undefined {
  return workers.env;
}

/**
 * Keeps the current request alive until `promise` is settled.
 *
 * @returns false where the platform cannot: an old runtime, or no request to keep alive
 */
export function keepAlive(promise: Promise<unknown>): boolean {
  try {
    workers.waitUntil?.(promise);
    return workers.waitUntil !== undefined;
  } catch {
    return false;
  }
}

// What follows is what a Worker knows without asking: it is neither Deno nor Bun.

/** `fetch` gives bodies as they came, and knows it when it sends them. */
export const decodedCodings: undefined = undefined;

export function detectRuntime(): "workerd" {
  return "workerd";
}

/** The variables, where Node's API is switched on. */
export function readProcessEnvironment(): ProcessEnvironment {
  const { process } = globalThis as { process?: { env?: ProcessEnvironment } };
  return process?.env ?? {};
}

export function addressReaderOf(_request: Request, _given: object): undefined {}
