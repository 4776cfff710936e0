import { EspalierError } from "../errors.ts";
import { rejectMethods } from "../util/rejected-methods.ts";

/** Method names of other queue libraries, with their equivalents here. */
const wrongNames = { add: "enqueue()", push: "enqueue()", register: "process()" };

/** Makes method names of other queue libraries throw an error that names the equivalent. */
export function rejectWrongNames(prototype: object): void {
  rejectMethods(prototype, wrongNames, (name, replacement) => {
    const message = `A queue has no method "${name}". Use ${replacement}.`;
    return new EspalierError("ERR_QUEUE_UNSUPPORTED", message);
  });
}
