import type { ErrorCode } from "../errors.ts";

/** A TypeError with a code: an argument that can never be right, whatever the store. */
export function createTypeError(
  code: ErrorCode,
  message: string,
  options?: ErrorOptions,
): TypeError & { readonly code: ErrorCode } {
  return Object.assign(new TypeError(message, options), { code });
}
