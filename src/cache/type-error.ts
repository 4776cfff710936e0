import type { ErrorCode } from "../errors.ts";

/** Creates a TypeError with a code, for an argument that is invalid with every store. */
export function createTypeError(
  code: ErrorCode,
  message: string,
  options?: ErrorOptions,
): TypeError & { readonly code: ErrorCode } {
  return Object.assign(new TypeError(message, options), { code });
}
