// Run by Deno: the queue on a database, whose file is the first argument. This process is killed.
import { DenoKvQueueAdapter } from "../../src/platform/deno/kv-queue-adapter.ts";
import type { DenoKv } from "../../src/platform/deno/kv-queue-types.ts";
import { KilledQueue } from "./killed-queue.ts";

declare const Deno: {
  readonly args: readonly string[];
  readonly stdin: { readonly readable: ReadableStream<Uint8Array> };
  openKv(path?: string): Promise<DenoKv>;
  serve(
    options: { hostname: string; port: number; onListen(address: { port: number }): void },
    handler: (request: Request) => Promise<Response>,
  ): unknown;
  exit(code: number): never;
};

const file = Deno.args[0] ?? "";
// Of its own: the queue's messages must not wait for the records of its handler.
const notes = await Deno.openKv(`${file}-notes`);
const queue = new KilledQueue({
  adapter: new DenoKvQueueAdapter({ kv: () => Deno.openKv(file) }),
  notes: {
    async put(key) {
      await notes.atomic().set(key.split("/"), 1).commit();
    },
    async list(prefix) {
      const keys: string[] = [];
      for await (const { key } of notes.list({ prefix: prefix.split("/").slice(0, 1) })) {
        keys.push(key.slice(1).join("/"));
      }
      return keys;
    },
  },
  work: (jobs) => jobs.start(),
});
Deno.serve(
  {
    hostname: "127.0.0.1",
    port: 0,
    onListen: ({ port }) => console.log(`listening on http://127.0.0.1:${port}/`),
  },
  (request) => queue.respond(request),
);
// Ends with the process that started it.
for await (const _ of Deno.stdin.readable);
Deno.exit(0);
