import type { RuleNode } from "./rule-tree.ts";
import { errorsOfIssues } from "./schema-issues.ts";
import type { StandardResult, StandardSchemaV1 } from "./standard-schema.ts";
import type { ValidationRun } from "./validation-run.ts";

/** One use of a schema: position and name of its errors, and the receiver of its output. */
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

/** Validates one field with the Standard Schema in its rule's `schema`. */
export function checkNestedSchema(
  schema: StandardSchemaV1,
  value: unknown,
  field: RuleNode,
  run: ValidationRun,
): unknown {
  // Placeholder: the output of an asynchronous schema replaces it when the promise resolves.
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
    // By the Standard Schema specification, `issues` means failure even if the list is empty.
    if (result.issues === undefined) receive(result.value);
    else run.failAll(errorsOfIssues(result.issues, value, name, isField), order, turn);
  };
  const result = schema["~standard"].validate(value);
  if (result instanceof Promise) run.wait(result.then(settle));
  else settle(result);
}

/** Sets `value` at `path` in the validated object. */
function place(root: object, path: readonly string[], value: unknown): void {
  let holder: object = root;
  for (const segment of path.slice(0, -1)) {
    const next: unknown = Reflect.get(holder, segment);
    // An outer field failed, so its object does not exist.
    if (typeof next !== "object" || next === null) return;
    holder = next;
  }
  Reflect.set(holder, path.at(-1) ?? "", value);
}
