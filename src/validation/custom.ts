import { isThenable } from "../util/is-thenable.ts";
import type { Custom } from "./parse-rule.ts";
import type { RuleNode } from "./rule-tree.ts";
import type { ValidationRun } from "./validation-run.ts";

/**
 * Runs an application's `custom` function on `value`. Only `true` is valid, so a function that forgets
 * to return fails closed; a string is the error message.
 *
 * An error that it throws is not a validation failure: it propagates to the caller of the run.
 */
export function runCustom(
  custom: Custom,
  value: unknown,
  field: RuleNode,
  run: ValidationRun,
): unknown {
  const outcome = custom(value, run.context);
  if (outcome === true) return value;
  if (!isThenable(outcome)) return reject(outcome, field, run);
  // Captured now: the run's array indexes will have changed when the promise settles.
  const name = run.nameOf(field);
  const turn = run.nextOrder();
  run.wait(
    Promise.resolve(outcome).then((settled) => {
      if (settled === true) return;
      const message = messageOf(settled) ?? field.rule?.message ?? `${name} is invalid`;
      run.failAll([{ field: name, message }], field.order, turn);
    }),
  );
  return value;
}

function reject(outcome: unknown, field: RuleNode, run: ValidationRun): undefined {
  const message = messageOf(outcome);
  if (message === undefined) return run.fail(field, "is invalid");
  run.failAll([{ field: run.nameOf(field), message }], field.order, run.nextOrder());
}

function messageOf(outcome: unknown): string | undefined {
  return typeof outcome === "string" && outcome !== "" ? outcome : undefined;
}
