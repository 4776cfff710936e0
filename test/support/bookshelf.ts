import type { Application, ApplicationOptions } from "../../src/index.ts";

// Imported by a computed path, so that the type checker does not apply the example's `Register`
// declarations to every test.
const modulePath: string = "../../examples/bookshelf/app.ts";

/** Loads the function that creates the example's application. */
export async function loadBookshelf(): Promise<(options?: ApplicationOptions) => Application> {
  const { createBookshelf } = (await import(modulePath)) as {
    createBookshelf(options?: ApplicationOptions): Application;
  };
  return createBookshelf;
}
