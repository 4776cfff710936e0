import { EspalierError } from "../errors.ts";

/** Methods that queues of other libraries have, and the one to use here. */
const wrongNames: Readonly<Record<string, string>> = {
  add: "enqueue",
  push: "enqueue",
  register: "process",
};

/**
 * Makes calls of a queue's methods by the names of other libraries throw an error that names the right
 * one. No type has them: it is for callers without types.
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
