import { EspalierError } from "../../errors.ts";

/**
 * The one error of a failed boot: it lists every wrong thing that was found.
 *
 * `errors` has them one by one.
 *
 * @example await expect(app.boot()).rejects.toThrow(BootError);
 */
export class BootError extends EspalierError {
  override readonly name: string = "BootError";
  /** Each wrong thing, as the error that it would be alone. */
  readonly errors: readonly Error[];

  constructor(errors: readonly Error[]) {
    const count = errors.length === 1 ? "1 problem" : `${errors.length} problems`;
    const lines = errors.map((error) => `  - ${error.message.replaceAll("\n", "\n    ")}`);
    super("ERR_APPLICATION_BOOT", `The application cannot start: ${count}.\n${lines.join("\n")}`);
    this.errors = errors;
  }
}
