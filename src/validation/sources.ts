import { badRule } from "./bad-rule.ts";
import { compileProperties, type Property } from "./compile-field.ts";
import { isRecord, type NullObject, ownValue } from "./null-object.ts";
import type { RuleNode } from "./rule-tree.ts";
import type { Source } from "./rules.ts";
import type { ValidationRun } from "./validation-run.ts";

/** The request input that validation reads. A source is accessed only if it has rules or a schema. */
export interface ValidationInput {
  /** The request's method, unchanged: it decides the source of the fields on a route of every method. */
  readonly method: string;
  readonly params: Readonly<Record<string, string>>;
  /** Query parameters by name; the last value of a repeated name. */
  readonly query: Readonly<Record<string, string>>;
  /** Returns all values of a query parameter. */
  queries(name: string): readonly string[];
  readonly headers: Headers;
  readonly body: unknown;
  /** Format of the body: the fields of a form are strings and files, those of JSON are typed. */
  readonly bodyKind: "json" | "form" | "none";
  /** Passed to `custom`. */
  readonly context: unknown;
}

/** Checks the fields of one source and adds the valid ones to `target`. */
export type SourceCheck = (input: ValidationInput, run: ValidationRun, target: NullObject) => void;

/** Reads a field of a source; `isList` is true if the field is a list. */
type Read = (name: string, isList: boolean) => unknown;

const headerName = /^[\w!#$%&'*+.^`|~-]+$/;
const emptyRecord: Readonly<Record<string, unknown>> = /* @__PURE__ */ Object.freeze({});

/** Compiles the check of the fields of `source`. */
export function compileSourceCheck(
  source: Source,
  fields: ReadonlyMap<string, RuleNode>,
): SourceCheck {
  const properties = compileProperties(fields);
  if (source === "body") return createBodyCheck(properties);
  if (source === "headers") assertHeaderNames(properties);
  return function checkSource(input, run, target) {
    run.isText = true;
    checkTexts(properties, readerOf(source, input), run, target);
  };
}

/** Rejects invalid header names at boot: Headers.get() throws for them, a 500 on each request. */
function assertHeaderNames(properties: readonly Property[]): void {
  for (const { field } of properties) {
    if (headerName.test(field.name)) continue;
    throw badRule(field.name, "no header can have this name (RFC 9110, section 5.1).");
  }
}

/**
 * Returns the input of a Standard Schema that validates all of `source`.
 *
 * @param lists returns the names of the schema's lists: there, a single string or file is a list of one
 */
export function wholeSource(
  source: Source,
  input: ValidationInput,
  lists: () => ReadonlySet<string>,
): unknown {
  switch (source) {
    case "params":
      return input.params;
    case "query":
      return queryWithLists(input, lists());
    case "headers":
      return Object.fromEntries(input.headers);
    case "body":
      if (input.bodyKind === "form") return withLists(input.body, lists());
      // A missing body is validated as an empty object, so that the schema reports the missing fields.
      return input.body === undefined ? {} : input.body;
  }
}

/** Returns a form in which every list is an array. */
function withLists(body: unknown, lists: ReadonlySet<string>): unknown {
  if (!isRecord(body)) return body;
  const single = [...lists].filter(
    (name) => Object.hasOwn(body, name) && !Array.isArray(body[name]),
  );
  if (single.length === 0) return body;
  const wrapped = Object.fromEntries(single.map((name) => [name, [body[name]]]));
  return Object.assign(Object.create(null), body, wrapped);
}

function createBodyCheck(properties: readonly Property[]): SourceCheck {
  return function checkBody(input, run, target) {
    const body = isRecord(input.body) ? input.body : emptyRecord;
    run.isText = input.bodyKind === "form";
    if (run.isText) {
      checkTexts(properties, (name) => ownValue(body, name), run, target);
      return;
    }
    for (const { name, check } of properties) {
      const value = check(ownValue(body, name), run);
      if (value !== undefined) target[name] = value;
    }
  };
}

function checkTexts(
  properties: readonly Property[],
  read: Read,
  run: ValidationRun,
  target: NullObject,
): void {
  for (const { name, field, check } of properties) {
    const value = check(readText(field, read), run);
    if (value !== undefined) target[name] = value;
  }
}

/** Reads a field of a string-only source, which is flat: `address.city` is the name of one entry. */
function readText(field: RuleNode, read: Read): unknown {
  if (field.properties.size === 0) return read(field.name, isList(field));
  const values: Record<string, unknown> = Object.create(null);
  for (const [name, nested] of field.properties) {
    const value = readText(nested, read);
    if (value !== undefined) values[name] = value;
  }
  return Object.keys(values).length === 0 ? undefined : values;
}

function isList(field: RuleNode): boolean {
  return field.element !== undefined || field.rule?.type === "array";
}

function readerOf(source: Exclude<Source, "body">, input: ValidationInput): Read {
  switch (source) {
    case "params":
      return (name) => ownValue(input.params, name);
    case "headers":
      return (name) => input.headers.get(name) ?? undefined;
    case "query":
      return (name, isList) =>
        isList ? oneOrMore(input.queries(name)) : ownValue(input.query, name);
  }
}

/** Unwraps a single value, so that `?tags=` counts as empty for a list as it does for a string. */
function oneOrMore(values: readonly string[]): unknown {
  return values.length > 1 ? values : values[0];
}

/** Returns the query for a schema: a repeated name has a list of all its values, as in a form. */
function queryWithLists(
  input: ValidationInput,
  lists: ReadonlySet<string>,
): Readonly<Record<string, unknown>> {
  const query: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(input.query)) {
    const values = input.queries(name);
    query[name] = lists.has(name) ? values : oneOrMore(values);
  }
  return query;
}
