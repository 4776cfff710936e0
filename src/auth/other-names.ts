import { EspalierError } from "../errors.ts";

/**
 * Method names of other libraries. They are not part of the type of `Auth`: they help callers without type checking,
 * who would get "x is not a function".
 */
class OtherNames {
  sign(): never {
    throw unknownMethod("sign", "generateToken()");
  }
  issue(): never {
    throw unknownMethod("issue", "generateToken()");
  }
  verify(): never {
    throw unknownMethod("verify", "verifyToken()");
  }
}

/** Makes method names of other libraries throw an error that names the equivalent. */
export function rejectOtherNames(prototype: object): void {
  Object.setPrototypeOf(prototype, OtherNames.prototype);
}

function unknownMethod(name: string, replacement: string): EspalierError {
  const message = `Auth has no method "${name}". Use ${replacement}.`;
  return new EspalierError("ERR_AUTH_UNKNOWN_METHOD", message);
}
