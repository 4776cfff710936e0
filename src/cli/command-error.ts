/** An error that users of the command line can fix; printed without a stack trace. */
export class CommandError extends Error {
  override readonly name: string = "CommandError";
}
