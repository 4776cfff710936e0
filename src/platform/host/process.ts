export { readProcessEnvironment } from "../process-environment.ts";
export { detectRuntime } from "../runtime.ts";
export { decodedCodings } from "./decoded-codings.ts";
export { addressReaderOf } from "./socket-address.ts";

/** A process has variables, and no bindings: see `readProcessEnvironment`. */
export function platformBindings(): Readonly<Record<string, unknown>> | undefined {
  return undefined;
}

/** A process lives as long as it has work, so that there is nothing to ask for. */
export function keepAlive(_promise: Promise<unknown>): boolean {
  return false;
}
