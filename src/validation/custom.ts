import { isThenable } from "../util/is-thenable.ts";
import type { Custom } from "./parse-rule.ts";
import type { RuleNode } from "./rule-tree.ts";
import type { ValidationRun } from "./validation-run.ts";

/**
 * Asks an application's `custom` about `value`. Only `true` is valid, so that a function which
 * forgets to answer lets nothing pass; a text is the message.
 *
 * What it throws is not a failed validation: it leaves through the run.
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
  // The indexes will have moved on by the time it is known.
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
