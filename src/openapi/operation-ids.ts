import type { RouteRecord } from "../routing/route.ts";

/** Assigns a unique ID to every operation. */
export class OperationIds {
  readonly #taken: Set<string> = new Set();

  /** Returns the route's `operationId`, else its name, else one from method and path: `getBooksById`. */
  next(record: RouteRecord, method: string): string {
    const wanted = record.documentation.operationId ?? record.name ?? idOfPath(record, method);
    const id = this.#firstFree(wanted, method);
    this.#taken.add(id);
    return id;
  }

  #firstFree(wanted: string, method: string): string {
    if (!this.#taken.has(wanted)) return wanted;
    // The methods of `match` and of a resource's update share a name.
    const withMethod = `${wanted}.${method.toLowerCase()}`;
    if (!this.#taken.has(withMethod)) return withMethod;
    for (let number = 2; ; number += 1) {
      const numbered = `${withMethod}${number}`;
      if (!this.#taken.has(numbered)) return numbered;
    }
  }
}

function idOfPath({ pattern }: RouteRecord, method: string): string {
  const words = pattern
    .replace(/\([^/]*\)/g, "")
    .replace(/[:*]([A-Za-z_$][\w$]*)/g, " by $1")
    .split(/[^A-Za-z0-9_$]+/)
    .filter((word) => word !== "")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return method.toLowerCase() + (words.length === 0 ? "Root" : words.join(""));
}
