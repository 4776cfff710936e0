import type { Bundle } from "../application/runtimes/bundle.ts";
import { startMiniflare } from "../application/runtimes/workerd-session.ts";

/** Runs a bundle in workerd. @throws for a wrong response, which would make its size meaningless. */
export async function checkBundle(name: string, bundle: Bundle): Promise<void> {
  const miniflare = startMiniflare(bundle, {});
  try {
    const response = await miniflare.dispatchFetch("http://localhost/");
    const text = await response.text();
    if (text !== "Hello, world!") throw new Error(`${name} answered ${response.status}: ${text}`);
  } finally {
    await miniflare.dispose();
  }
}
