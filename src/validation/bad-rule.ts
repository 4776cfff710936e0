import { EspalierError } from "../errors.ts";

/**
 * The error of a rule that cannot be compiled: it names the field, then what is wrong and the way
 * out.
 */
export function badRule(field: string, problem: string): EspalierError {
  return new EspalierError(
    "ERR_VALIDATION_BAD_RULE",
    `The validation rule of "${field}" cannot be used: ${problem}`,
  );
}
