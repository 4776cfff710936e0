import type { RuleNode } from "./rule-tree.ts";
import { errorsOfIssues } from "./schema-issues.ts";
import type { StandardResult, StandardSchemaV1 } from "./standard-schema.ts";
import type { ValidationRun } from "./validation-run.ts";

/** Where the issues of a schema belong, and who takes its output. */
interface SchemaUse {
  readonly run: ValidationRun;
  readonly order: number;
  readonly name: string;
  readonly isField: boolean;
  readonly receive: (output: unknown) => void;
}

/**
 * Validates a whole source; `receive` is called with the output, later if the schema is
 * asynchronous.
 */
export function checkSourceSchema(
  schema: StandardSchemaV1,
  value: unknown,
  use: Omit<SchemaUse, "isField">,
): void {
  applySchema(schema, value, { ...use, isField: false });
}

/** Validates one field by the Standard Schema that its rule has as `schema`. */
export function checkNestedSchema(
  schema: StandardSchemaV1,
  value: unknown,
  field: RuleNode,
  run: ValidationRun,
): unknown {
  // An asynchronous schema has its output put in this place when it is known.
  let output: unknown = null;
  let isReturned = false;
  const { target } = run;
  const path = run.pathOf(field);
  const receive = (received: unknown): void => {
    if (isReturned) place(target, path, received);
    else output = received;
  };
  applySchema(schema, value, {
    run,
    order: field.order,
    name: path.join("."),
    isField: true,
    receive,
  });
  isReturned = true;
  return output;
}

function applySchema(schema: StandardSchemaV1, value: unknown, use: SchemaUse): void {
  const { run, order, name, isField, receive } = use;
  const turn = run.nextOrder();
  const settle = (result: StandardResult): void => {
    // Any issues at all mean failure; an empty list too, by the interface's own wording.
    if (result.issues === undefined) receive(result.value);
    else run.failAll(errorsOfIssues(result.issues, value, name, isField), order, turn);
  };
  const result = schema["~standard"].validate(value);
  if (result instanceof Promise) run.wait(result.then(settle));
  else settle(result);
}

/** Puts `value` where `path` leads to in what validation has built so far. */
function place(root: object, path: readonly string[], value: unknown): void {
  let holder: object = root;
  for (const segment of path.slice(0, -1)) {
    const next: unknown = Reflect.get(holder, segment);
    // An outer field that failed has left nothing to put it into.
    if (typeof next !== "object" || next === null) return;
    holder = next;
  }
  Reflect.set(holder, path.at(-1) ?? "", value);
}
