/** The part of the example's application that tests use. */
export interface Bookshelf {
  request(target: string, init?: RequestInit, env?: object): Promise<Response>;
  getRouter(): {
    routes(): readonly { readonly method: string; readonly name: string | undefined }[];
  };
}

// Loaded by a path that the type checker does not follow: what the example declares in `Register`
// would hold for every test.
const modulePath: string = "../../examples/bookshelf/app.ts";

/** A library that has just been opened, in memory, in this process. */
export async function openBookshelf(): Promise<Bookshelf> {
  const { createBookshelf } = (await import(modulePath)) as {
    createBookshelf(options: object): Bookshelf;
  };
  return createBookshelf({ logger: { debug() {}, info() {}, warn() {}, error() {} } });
}
