import type { OperationObject } from "./document.ts";
import { type PathTemplate, writeTemplate } from "./path-template.ts";

/** One path of the document, with its operations by method in capitals. */
interface PathEntry {
  readonly names: readonly string[];
  readonly operations: Map<string, { operation: OperationObject; isConstrained: boolean }>;
}

/** Methods that a path item has a place for; the others stand in an extension. */
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
 * The paths of a document. Two of the same shape are the same path to OpenAPI, whatever their
 * parameters are called, so the first route of a shape names them for all.
 */
export class PathTable {
  /** By path; in the order in which the first route of each came. */
  readonly #entries: Map<string, PathEntry> = new Map();
  readonly #paths: Map<string, string[]> = new Map();

  /** Whether every request of this method and shape has its route already. */
  isTaken(template: PathTemplate, method: string): boolean {
    return this.#ofShape(template).some(([, { operations }]) => {
      const taken = operations.get(method);
      return taken !== undefined && (!taken.isConstrained || template.parameters.length === 0);
    });
  }

  /**
   * Adds an operation.
   *
   * @param describe makes it, once it is known what the parameters are called
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

  /** The `paths` of the document. */
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
    // Constraints tell routes apart that OpenAPI cannot: another path then, under other names.
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

/** An anonymous wildcard gets a name that no other parameter of its path has. */
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
