import type { OperationObject } from "./document.ts";
import { type PathTemplate, writeTemplate } from "./path-template.ts";

/** A path of the document, with its operations by upper-case method. */
interface PathEntry {
  readonly names: readonly string[];
  readonly operations: Map<string, { operation: OperationObject; isConstrained: boolean }>;
}

/** Methods with a fixed field in a path item; others are put in an extension. */
const knownMethods: ReadonlySet<string> = new Set([
  "GET",
  "PUT",
  "POST",
  "DELETE",
  "OPTIONS",
  "HEAD",
  "PATCH",
  "TRACE",
]);

/**
 * The paths of a document. OpenAPI considers paths of the same shape identical regardless of parameter names,
 * so the first route of a shape determines the names.
 */
export class PathTable {
  /** Entries by path, in the order of their first routes. */
  readonly #entries: Map<string, PathEntry> = new Map();
  readonly #paths: Map<string, string[]> = new Map();

  /** Returns whether another route already handles all requests of this method and shape. */
  isTaken(template: PathTemplate, method: string): boolean {
    return this.#ofShape(template).some(([, { operations }]) => {
      const taken = operations.get(method);
      return taken !== undefined && (!taken.isConstrained || template.parameters.length === 0);
    });
  }

  /**
   * Adds an operation.
   *
   * @param describe creates the operation, given the names of the parameters
   */
  add(
    template: PathTemplate,
    method: string,
    describe: (names: readonly string[]) => OperationObject,
  ): void {
    const entry = this.#place(template, method);
    const operation = describe(entry.names);
    entry.operations.set(method, { operation, isConstrained: template.isConstrained });
  }

  /** Returns the `paths` object of the document. */
  toObject(): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
    return Object.fromEntries(
      [...this.#entries].map(([path, { operations }]) => [path, pathItem(operations)]),
    );
  }

  #place(template: PathTemplate, method: string): PathEntry {
    const wanted = documentNames(template);
    const candidates = this.#ofShape(template).filter(([, entry]) => !entry.operations.has(method));
    const same = candidates.find(([path]) => path === writeTemplate(template, wanted));
    const found = same ?? candidates[0];
    if (found !== undefined) return found[1];
    // Routes that only differ in constraints are identical in OpenAPI: use a path with other names.
    let names = wanted;
    for (let number = 2; this.#entries.has(writeTemplate(template, names)); number += 1) {
      names = wanted.map((name) => `${name}${number}`);
    }
    const path = writeTemplate(template, names);
    const entry: PathEntry = { names, operations: new Map() };
    this.#entries.set(path, entry);
    const shape = template.texts.join("{}");
    this.#paths.set(shape, [...(this.#paths.get(shape) ?? []), path]);
    return entry;
  }

  #ofShape(template: PathTemplate): readonly [string, PathEntry][] {
    const paths = this.#paths.get(template.texts.join("{}")) ?? [];
    return paths.flatMap((path) => {
      const entry = this.#entries.get(path);
      return entry === undefined ? [] : [[path, entry] as [string, PathEntry]];
    });
  }
}

/** Gives an unnamed wildcard a name that is unique in its path. */
function documentNames({ parameters }: PathTemplate): readonly string[] {
  const names = parameters.map(({ name }) => name);
  let rest = "rest";
  while (names.includes(rest)) rest += "OfPath";
  return names.map((name) => (name === "*" ? rest : name));
}

function pathItem(operations: PathEntry["operations"]): Readonly<Record<string, unknown>> {
  const known: Record<string, OperationObject> = {};
  const additional: Record<string, OperationObject> = {};
  for (const [method, { operation }] of operations) {
    if (knownMethods.has(method)) known[method.toLowerCase()] = operation;
    else additional[method] = operation;
  }
  if (Object.keys(additional).length === 0) return known;
  return { ...known, "x-additionalOperations": additional };
}
