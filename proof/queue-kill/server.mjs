// Runs the worker of worker.ts on workerd, with its storage in a folder. This process is killed.
import { readFileSync } from "node:fs";
import { Miniflare } from "miniflare";

const [bundle, folder, driver] = process.argv.slice(2);
const contents = readFileSync(bundle, "utf8");
const object = { type: "durable-object", worker: "killed", exportName: "QueueDurableObject" };
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
        env: {
          DRIVER: { type: "json", value: driver },
          QUEUE_KV: { type: "kv", id: "QUEUE_KV" },
          QUEUE_OBJECT: object,
          NOTES: { type: "kv", id: "NOTES" },
        },
        exports: { QueueDurableObject: { type: "durable-object", storage: "sqlite" } },
      },
    },
  ],
});
console.log(`listening on ${await miniflare.ready}`);
// Ends with the process that started it.
process.stdin.on("end", () => process.exit()).resume();
