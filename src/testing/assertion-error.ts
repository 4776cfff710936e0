/**
 * Error of a failed assertion of `espalier/testing`; every test runner shows its message.
 *
 * @example expect(() => queue.assertNothingEnqueued()).toThrow(AssertionError);
 */
export class AssertionError extends Error {
  override readonly name: string = "AssertionError";
}
