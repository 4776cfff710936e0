export { readProcessEnvironment } from "../process-environment.ts";
export { detectRuntime } from "../runtime.ts";
export { clearHostOf } from "./clear-host.ts";
export { completeHead } from "./complete-head.ts";
export { stripContentEncoding } from "./content-coding.ts";
export { flushingCompression } from "./flushing-compression.ts";
export { addressReaderOf } from "./socket-address.ts";
export { hasStreamBody } from "./stream-body.ts";
export { formatForTerminal } from "./terminal.ts";
export { isBodyUnavailable } from "./unavailable-body.ts";

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
