import type { Application, ApplicationOptions } from "../../src/index.ts";

// Loaded by a path that the type checker does not follow: what the example declares in `Register`
// would hold for every test.
const modulePath: string = "../../examples/bookshelf/app.ts";

/** Loads the function that creates the example's application. */
export async function loadBookshelf(): Promise<(options?: ApplicationOptions) => Application> {
  const { createBookshelf } = (await import(modulePath)) as {
    createBookshelf(options?: ApplicationOptions): Application;
  };
  return createBookshelf;
}
