import { EspalierError } from "../errors.ts";

/**
 * Methods of the router, which the application has in other frameworks. They are not part of its type: they help
 * callers without type checking, who would get "x is not a function".
 */
class RouterMethods {
  get(): never {
    throw unknownMethod("get");
  }
  post(): never {
    throw unknownMethod("post");
  }
  put(): never {
    throw unknownMethod("put");
  }
  patch(): never {
    throw unknownMethod("patch");
  }
  delete(): never {
    throw unknownMethod("delete");
  }
  head(): never {
    throw unknownMethod("head");
  }
  options(): never {
    throw unknownMethod("options");
  }
  all(): never {
    throw unknownMethod("all");
  }
  group(): never {
    throw unknownMethod("group");
  }
}

/** Makes the methods of the router throw an error that names its equivalent. */
export function rejectRouterMethods(prototype: object): void {
  // One step at startup: defining each method in a loop takes longer than all other classes of the core.
  Object.setPrototypeOf(prototype, RouterMethods.prototype);
}

function unknownMethod(name: string): EspalierError {
  const message = `The application has no method "${name}". Use app.getRouter().${name}().`;
  return new EspalierError("ERR_APPLICATION_UNKNOWN_METHOD", message);
}
