/**
 * What an assertion of `espalier/testing` throws; every test runner shows its message.
 *
 * @example expect(() => queue.assertNothingEnqueued()).toThrow(AssertionError);
 */
export class AssertionError extends Error {
  override readonly name: string = "AssertionError";
}
