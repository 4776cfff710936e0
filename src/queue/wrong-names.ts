import { EspalierError } from "../errors.ts";

/**
 * Method names of other queue libraries. They are not part of the type of a queue: they help callers without type
 * checking, who would get "x is not a function".
 */
class WrongNames {
  add(): never {
    throw unknownMethod("add", "enqueue()");
  }
  push(): never {
    throw unknownMethod("push", "enqueue()");
  }
  register(): never {
    throw unknownMethod("register", "process()");
  }
}

/** Makes method names of other queue libraries throw an error that names the equivalent. */
export function rejectWrongNames(prototype: object): void {
  Object.setPrototypeOf(prototype, WrongNames.prototype);
}

function unknownMethod(name: string, replacement: string): EspalierError {
  const message = `A queue has no method "${name}". Use ${replacement}.`;
  return new EspalierError("ERR_QUEUE_UNSUPPORTED", message);
}
