/** The subset of the example's application used by the tests. */
export interface Bookshelf {
  request(target: string, init?: RequestInit, env?: object): Promise<Response>;
  getRouter(): {
    routes(): readonly { readonly method: string; readonly name: string | undefined }[];
  };
}

// Imported by a computed path, so that the type checker does not apply the example's `Register`
// declarations to every test.
const modulePath: string = "../../examples/bookshelf/app.ts";

/** Creates a new library in memory, in this process. */
export async function openBookshelf(): Promise<Bookshelf> {
  const { createBookshelf } = (await import(modulePath)) as {
    createBookshelf(options: object): Bookshelf;
  };
  return createBookshelf({ logger: { debug() {}, info() {}, warn() {}, error() {} } });
}
