import { EspalierError } from "../errors.ts";

/**
 * Creates the error of a rule that cannot be compiled: it names the field, then the problem and the
 * fix.
 */
export function badRule(field: string, problem: string): EspalierError {
  return new EspalierError(
    "ERR_VALIDATION_BAD_RULE",
    `The validation rule of "${field}" cannot be used: ${problem}`,
  );
}
