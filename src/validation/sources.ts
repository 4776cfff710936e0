import { badRule } from "./bad-rule.ts";
import { compileProperties, type Property } from "./compile-field.ts";
import { isRecord, type NullObject, ownValue } from "./null-object.ts";
import type { RuleNode } from "./rule-tree.ts";
import type { Source } from "./rules.ts";
import type { ValidationRun } from "./validation-run.ts";

/** One request as validation reads it. A source is touched only if something is demanded of it. */
export interface ValidationInput {
  /** As it was sent: a route of every method learns from it where its fields are. */
  readonly method: string;
  readonly params: Readonly<Record<string, string>>;
  /** Of a repeated name the last value. */
  readonly query: Readonly<Record<string, string>>;
  /** All values of a name in the query. */
  queries(name: string): readonly string[];
  readonly headers: Headers;
  readonly body: unknown;
  /**
   * How the body was written: the fields of a form are strings and files, those of JSON have types.
   */
  readonly bodyKind: "json" | "form" | "none";
  /** Handed to `custom`. */
  readonly context: unknown;
}

/** Checks the fields of one source, and puts the valid ones into `target`. */
export type SourceCheck = (input: ValidationInput, run: ValidationRun, target: NullObject) => void;

/** What a source holds under a name; `isList` when the field is to be a list. */
type Read = (name: string, isList: boolean) => unknown;

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const EMPTY: Readonly<Record<string, unknown>> = /* @__PURE__ */ Object.freeze({});

/** How the fields of `source` are read and checked. */
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

/**
 * Asking Headers for a name that no header can have throws, which would be a 500 on each request.
 */
function assertHeaderNames(properties: readonly Property[]): void {
  for (const { field } of properties) {
    if (HEADER_NAME.test(field.name)) continue;
    throw badRule(field.name, "no header can have this name (RFC 9110, section 5.1).");
  }
}

/** What a Standard Schema for the whole of `source` is given. */
export function wholeSource(source: Source, input: ValidationInput): unknown {
  switch (source) {
    case "params":
      return input.params;
    case "query":
      return queryWithLists(input);
    case "headers":
      return Object.fromEntries(input.headers);
    case "body":
      // No body is an empty one, so that a schema names the fields it misses.
      return input.body === undefined ? {} : input.body;
  }
}

function createBodyCheck(properties: readonly Property[]): SourceCheck {
  return function checkBody(input, run, target) {
    const body = isRecord(input.body) ? input.body : EMPTY;
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

/** A source of texts is flat: there the nested field `address.city` goes by just that name. */
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

/** A single value as itself, so that `?tags=` is as empty for a list as it is for a string. */
function oneOrMore(values: readonly string[]): unknown {
  return values.length > 1 ? values : values[0];
}

/** The query as a schema reads it: of a repeated name all values, as in a form. */
function queryWithLists(input: ValidationInput): Readonly<Record<string, unknown>> {
  const query: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(input.query)) query[name] = oneOrMore(input.queries(name));
  return query;
}
