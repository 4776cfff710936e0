/** What a user of the command line can put right; it is shown without a stack. */
export class CommandError extends Error {
  override readonly name: string = "CommandError";
}
