import { EspalierError } from "../errors.ts";

/** Any class, of which only the constructor is of interest. */
type Constructor = new (...dependencies: readonly unknown[]) => object;

/**
 * What to raise for an error that a controller's constructor threw.
 *
 * `this.context` is set once the constructor has run. One that reads it, and be it by `this.app` or in the
 * initial value of a field, fails with an error of the engine that names neither the class nor the way out.
 * So the constructor, which has failed already, runs once more on an object that notices.
 *
 * @returns the error itself when it has another reason
 */
export function explainConstructorError(
  controller: { readonly name: string },
  dependencies: readonly unknown[],
  error: unknown,
): unknown {
  if (!(error instanceof TypeError)) return error;
  let readsContext = false;
  // It is a class, which has made these dependencies its own before.
  class Watched extends (controller as unknown as Constructor) {
    get context(): undefined {
      readsContext = true;
      return undefined;
    }
  }
  try {
    new Watched(...dependencies);
  } catch {
    // It fails as before; how is known.
  }
  if (!readsContext) return error;
  return new EspalierError(
    "ERR_PIPELINE_NO_CONTEXT",
    `The constructor of ${controller.name} reads this.context, which is set after it. So are this.app, ` +
      "this.params, this.query and this.body. Read them in handle() or beforeHandle().",
    { cause: error },
  );
}
