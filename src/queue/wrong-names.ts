import { EspalierError } from "../errors.ts";

/** Method names of other queue libraries, with their equivalents here. */
const wrongNames: Readonly<Record<string, string>> = {
  add: "enqueue",
  push: "enqueue",
  register: "process",
};

/**
 * Makes method names of other queue libraries throw an error that names the equivalent. They are not part
 * of the types: they help callers without type checking.
 */
export function rejectWrongNames(prototype: object): void {
  for (const [wrong, right] of Object.entries(wrongNames)) {
    Object.defineProperty(prototype, wrong, {
      value() {
        throw new EspalierError(
          "ERR_QUEUE_UNSUPPORTED",
          `A queue has no method "${wrong}". Use ${right}().`,
        );
      },
    });
  }
}
