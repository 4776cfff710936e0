import { expect, test } from "vitest";
import { startWorkerd } from "../../support/workerd.ts";

test("the Host header is validated unless Cloudflare's edge has done it", async () => {
  const miniflare = await startWorkerd("test/http/workerd/hosts-worker.ts");
  try {
    const response = await miniflare.dispatchFetch("http://localhost/");
    expect(await response.json()).toEqual({ edge: 200, miniflare: 400, client: 400 });
  } finally {
    await miniflare.dispose();
  }
});
