/**
 * Thrown by a job handler to fail its job at once, without the remaining attempts: for errors that another attempt
 * cannot fix, such as a payload that is not valid. `failed()` lists the job with the message; `cause` is logged.
 *
 * @example throw new UnrecoverableJobError("The member does not exist any more.", { cause: error });
 */
export class UnrecoverableJobError extends Error {
  override readonly name: string = "UnrecoverableJobError";
}
