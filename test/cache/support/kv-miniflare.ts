import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Miniflare } from "miniflare";
import { bundle } from "../../support/bundle.ts";

export interface KvMiniflare {
  readonly miniflare: Miniflare;
  /** Stops workerd and removes its data. */
  dispose(): Promise<void>;
}

/** Starts workerd with a KV namespace `KV` on disk, and optionally a worker. */
export async function startKvMiniflare(
  entry?: string,
  compatibilityDate = "2026-11-01",
): Promise<KvMiniflare> {
  const folder = await mkdtemp(join(tmpdir(), "espalier-kv-"));
  const worker = "export default { fetch: () => new Response() }";
  const contents = entry === undefined ? worker : (await bundle(entry, "workerd")).code;
  const config = {
    name: "worker",
    compatibilityDate,
    manifest: {
      mainModule: "index.js",
      modulesRoot: "/",
      modules: { "index.js": { type: "esm", contents } },
    },
    env: { KV: { type: "kv", id: "KV" } },
  };
  // Miniflare's types require every optional member of a configuration.
  const options = { cf: false, resourcePersistencePath: folder, workers: [{ config }] } as never;
  const miniflare = new Miniflare(options);
  await miniflare.ready;
  return {
    miniflare,
    dispose: async () => {
      await miniflare.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
