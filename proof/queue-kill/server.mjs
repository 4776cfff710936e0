// Runs the worker of worker.ts on workerd, with its KV in a folder. This process is killed.
import { readFileSync } from "node:fs";
import { Miniflare } from "miniflare";

const [bundle, folder] = process.argv.slice(2);
const contents = readFileSync(bundle, "utf8");
const miniflare = new Miniflare({
  cf: false,
  host: "127.0.0.1",
  port: 0,
  resourcePersistencePath: folder,
  workers: [
    {
      config: {
        name: "killed",
        compatibilityDate: "2026-10-01",
        manifest: {
          mainModule: "index.js",
          modulesRoot: "/",
          modules: { "index.js": { type: "esm", contents } },
        },
        env: { QUEUE_KV: { type: "kv", id: "QUEUE_KV" }, NOTES: { type: "kv", id: "NOTES" } },
      },
    },
  ],
});
process.send({ url: String(await miniflare.ready) });
process.on("disconnect", () => process.exit());
