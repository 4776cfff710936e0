/** What whoever runs the command can put right; its message is all they see. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}
