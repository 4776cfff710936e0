/**
 * Makes methods that a class does not have throw an error that names the equivalent. They are not part of
 * the types: they help callers without type checking, who would get "x is not a function".
 *
 * @param replacements what to call instead, by the name of the missing method
 */
export function rejectMethods(
  prototype: object,
  replacements: Readonly<Record<string, string>>,
  createError: (name: string, replacement: string) => Error,
): void {
  for (const [name, replacement] of Object.entries(replacements)) {
    Object.defineProperty(prototype, name, {
      configurable: true,
      writable: true,
      value() {
        throw createError(name, replacement);
      },
    });
  }
}
