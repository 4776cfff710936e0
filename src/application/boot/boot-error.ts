import { EspalierError } from "../../errors.ts";

/**
 * The error of a failed boot: lists every problem found.
 *
 * `errors` contains them individually.
 *
 * @example await expect(app.boot()).rejects.toThrow(BootError);
 */
export class BootError extends EspalierError {
  override readonly name: string = "BootError";
  /** The individual errors. */
  readonly errors: readonly Error[];

  constructor(errors: readonly Error[]) {
    const count = errors.length === 1 ? "1 problem" : `${errors.length} problems`;
    const lines = errors.map((error) => `  - ${error.message.replaceAll("\n", "\n    ")}`);
    super("ERR_APPLICATION_BOOT", `The application cannot start: ${count}.\n${lines.join("\n")}`);
    this.errors = errors;
  }
}
