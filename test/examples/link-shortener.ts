/** The subset of the example's application used by the tests. */
export interface LinkShortener {
  request(target: string, init?: RequestInit): Promise<Response>;
  resolve(name: "links"): {
    recordClick(slug: string, id: string): Promise<void>;
    countClicks(slug: string): Promise<number>;
  };
  instance(name: string, value: unknown): unknown;
  singleton(name: string, factory: unknown): unknown;
  worker(): {
    scheduled(
      controller: { readonly cron: string; readonly scheduledTime: number },
      env: object,
      executionContext: { waitUntil(promise: Promise<unknown>): void },
    ): Promise<void>;
  };
}

// Imported by computed paths, so that the type checker does not apply the example's `Register`
// declarations to every test.
const folder: string = "../../examples/link-shortener";

/** Creates an empty link shortener in memory, in this process, also served as short.example. */
export async function openLinkShortener(clock: () => number): Promise<LinkShortener> {
  const { createLinkShortener } = (await import(`${folder}/app.ts`)) as {
    createLinkShortener(options: object): LinkShortener;
  };
  const { Links } = (await import(`${folder}/links.ts`)) as {
    Links: new (kv: object, now: () => number) => object;
  };
  const { MemoryNamespace } = (await import(`${folder}/memory-namespace.ts`)) as {
    MemoryNamespace: new () => object;
  };
  process.env["SHORTENER_HOSTS"] = "short.example";
  const logger = { debug() {}, info() {}, warn() {}, error: console.error };
  const app = createLinkShortener({ logger });
  app.singleton("links", () => new Links(new MemoryNamespace(), clock));
  return app;
}
