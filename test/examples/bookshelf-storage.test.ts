import type { KVNamespace } from "@cloudflare/workers-types";
import type { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import type { DocumentStore, FileStore } from "../../examples/bookshelf/storage/document-store.ts";
import type { KvNamespace } from "../../examples/bookshelf/storage/kv-namespace.ts";
import { KvDocumentStore, KvFileStore } from "../../examples/bookshelf/storage/kv-store.ts";
import {
  MemoryDocumentStore,
  MemoryFileStore,
} from "../../examples/bookshelf/storage/memory-store.ts";
import { startWorkerd } from "../support/workerd.ts";

interface Stores {
  readonly documents: DocumentStore;
  readonly files: FileStore;
}

describe("the bookshelf's storage in memory", () => {
  const stores = { documents: new MemoryDocumentStore(), files: new MemoryFileStore() };
  checkStores(() => stores);

  test("of many concurrent calls that create one document, exactly one succeeds", async () => {
    const attempts = Array.from({ length: 20 }, (_, n) => stores.documents.create("one", { n }));
    expect((await Promise.all(attempts)).filter((created) => created)).toHaveLength(1);
    expect(await stores.documents.get("one")).toEqual({ n: 0 });
  });
});

describe("the bookshelf's storage on KV", () => {
  let mf: Miniflare;
  let stores: Stores;
  beforeAll(async () => {
    mf = await startWorkerd("examples/bookshelf/worker.ts");
    // Miniflare's namespace has the platform's complete type.
    const kv = (await mf.getKVNamespace("KV")) as unknown as KvNamespace;
    stores = { documents: new KvDocumentStore(kv), files: new KvFileStore(kv) };
  });
  afterAll(() => mf.dispose());
  checkStores(() => stores);

  test("accepts the namespace type of the platform's package", () => {
    expectTypeOf<KVNamespace>().toExtend<KvNamespace>();
  });
});

/** Tests for every storage. */
function checkStores(stores: () => Stores): void {
  test("a document is stored, replaced and deleted", async () => {
    const { documents } = stores();
    expect(await documents.get("a/1")).toBeUndefined();
    const written = { text: "ü", list: [1, null] };
    await documents.put("a/1", written);
    written.text = "changed later";
    expect(await documents.get("a/1")).toEqual({ text: "ü", list: [1, null] });
    await documents.put("a/1", { other: true });
    expect(await documents.get("a/1")).toEqual({ other: true });
    await documents.delete("a/1");
    await documents.delete("a/1");
    expect(await documents.get("a/1")).toBeUndefined();
  });

  test("a document is created once", async () => {
    const { documents } = stores();
    expect(await documents.create("b/1", { n: 1 })).toBe(true);
    expect(await documents.create("b/1", { n: 2 })).toBe(false);
    expect(await documents.get("b/1")).toEqual({ n: 1 });
  });

  test("a list has all documents under a prefix, sorted by key, over several pages", async () => {
    const { documents } = stores();
    const numbers = Array.from({ length: 250 }, (_, n) => n);
    await Promise.all(numbers.map((n) => documents.put(`c/${String(n).padStart(3, "0")}`, { n })));
    await documents.put("cc/1", { n: -1 });
    const listed: number[] = [];
    for await (const { n } of documents.list<{ n: number }>("c/")) listed.push(n);
    expect(listed).toEqual(numbers);
    for await (const document of documents.list("none/")) expect(document).toBeUndefined();
  });

  test("a file keeps its bytes, type and entity tag", async () => {
    const { files } = stores();
    const bytes = new Uint8Array([0, 255, 128, 10]).buffer;
    expect(await files.get("f")).toBeUndefined();
    await files.put("f", { bytes, type: "image/png", etag: '"1"' });
    const file = await files.get("f");
    expect(new Uint8Array(file?.bytes ?? new ArrayBuffer())).toEqual(new Uint8Array(bytes));
    expect([file?.type, file?.etag]).toEqual(["image/png", '"1"']);
    await files.delete("f");
    expect(await files.get("f")).toBeUndefined();
  });
}
