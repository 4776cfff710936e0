import type { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exchange, statusOf } from "../support/raw-http.ts";
import { type ServerProcess, startServerProcess } from "../support/server-process.ts";
import { startWorkerd } from "../support/workerd.ts";
import { openClient } from "../websocket/assertions.ts";

describe.each(["node", "deno", "bun"] as const)("the streaming example on %s", (runtime) => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServerProcess("test/streaming/listen.mjs", runtime);
  });
  afterAll(async () => expect(await server.stop()).toBe(0));
  describeStreaming(() => server.url);
});

describe("the streaming example on workerd", () => {
  let mf: Miniflare;
  let base = "";
  beforeAll(async () => {
    mf = await startWorkerd("test/streaming/worker.mjs", {
      env: { ROOMS: { type: "durable-object", worker: "worker", exportName: "ChatRoom" } },
      worker: { exports: { ChatRoom: { type: "durable-object", storage: "sqlite" } } },
    });
    base = (await mf.ready).href;
  });
  afterAll(() => mf.dispose());
  describeStreaming(() => base);
});

function describeStreaming(base: () => string): void {
  const url = (path: string): URL => new URL(path, base());

  /** Reads a stream until its text matches, and leaves. */
  async function readUntil(response: Response, pattern: RegExp): Promise<string> {
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!pattern.test(text)) {
      const item = await reader?.read();
      if (item === undefined || item.done) throw new Error(`the stream ended: ${text}`);
      text += item.value;
    }
    await reader?.cancel();
    return text;
  }

  test("ticks come one by one, and go on where a client was cut off", async () => {
    const first = await fetch(url("/clock?everyMs=20"));
    expect(first.headers.get("content-type")).toBe("text/event-stream");
    const text = await readUntil(first, /id: 3\n/);
    expect(text).toMatch(/^retry: 2000\n\nevent: tick\nid: 1\ndata: \{"tick":1,/);
    const headers = { "last-event-id": "3" };
    const again = await fetch(url("/clock?everyMs=20"), { headers });
    expect(await readUntil(again, /id: 4\n/)).not.toContain("id: 3\n");
  });

  test("a comment keeps a silent stream alive", async () => {
    const response = await fetch(url("/clock?everyMs=60000"));
    expect(await readUntil(response, /\n\n:\n\n/)).toContain("id: 1\n");
  });

  test("what is said in a room is heard there, and nowhere else", async () => {
    const ada = await openClient(url("/chat/lobby?name=ada").href);
    expect(JSON.parse(await ada.next())).toEqual({ name: "ada", joined: true });
    const bob = await openClient(url("/chat/lobby?name=bob").href);
    const eve = await openClient(url("/chat/attic?name=eve").href);
    expect(JSON.parse(await eve.next())).toEqual({ name: "eve", joined: true });
    expect(JSON.parse(await ada.next())).toEqual({ name: "bob", joined: true });
    bob.socket.send("good morning");
    expect(JSON.parse(await ada.next())).toEqual({ name: "bob", text: "good morning" });
    bob.socket.close();
    expect(JSON.parse(await ada.next())).toEqual({ name: "bob", left: true });
    eve.socket.send("alone");
    expect(JSON.parse(await eve.next())).toEqual({ name: "eve", text: "alone" });
    for (const { socket, closed } of [ada, eve]) {
      socket.close();
      await closed;
    }
  });

  test("rows are streamed, and not one more than was asked for", async () => {
    const response = await fetch(url("/export?rows=12345"));
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const lines = (await response.text()).trimEnd().split("\n");
    expect(lines).toHaveLength(12_346);
    expect(lines.at(-1)).toBe("12345,152399025");
  });

  test("a client may leave in the middle of a long one", async () => {
    const response = await fetch(url("/export?rows=100000000"));
    expect(await readUntil(response, /\n3,9\n/)).toContain("number,square");
    expect((await fetch(url("/export?rows=1"))).status).toBe(200);
  });

  test("a form with a picture is checked and kept", async () => {
    const form = new FormData();
    form.append("title", "a dot");
    form.append(
      "picture",
      new File([new Uint8Array([137, 80, 78, 71])], "dot.png", { type: "image/png" }),
    );
    const response = await fetch(url("/pictures"), { method: "POST", body: form });
    expect(response.status).toBe(201);
    const location = response.headers.get("location") ?? "";
    const download = await fetch(url(location));
    expect(download.headers.get("content-type")).toBe("image/png");
    expect([...new Uint8Array(await download.arrayBuffer())]).toEqual([137, 80, 78, 71]);
  });

  test.each([
    ["that is invalid", new File(["<svg>"], "x.png", { type: "image/png" }), 422],
    ["of another type", new File(["x"], "x.svg", { type: "image/svg+xml" }), 422],
    ["that is too large", new File([new Uint8Array(1_100_000)], "x", { type: "image/png" }), 422],
  ])("a picture %s is refused", async (_title, picture, status) => {
    const form = new FormData();
    form.append("title", "x");
    form.append("picture", picture);
    const response = await fetch(url("/pictures"), { method: "POST", body: form });
    expect(response.status).toBe(status);
    await response.text();
  });

  test("a form that is larger than the route's limit is refused", async () => {
    const { host, port } = url("/");
    const response = await exchange(
      Number(port),
      `POST /pictures HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n` +
        "content-type: multipart/form-data; boundary=x\r\ncontent-length: 2200000\r\n\r\n--x",
    );
    expect(statusOf(response)).toBe(413);
  });

  test("a body is streamed to where it is kept", async () => {
    const size = 3_000_000;
    const response = await fetch(url("/files/large.bin"), {
      method: "PUT",
      body: new Blob([new Uint8Array(size)]).stream(),
      // Node requires this option to send a stream.
      duplex: "half",
    } as RequestInit);
    expect(await response.json()).toEqual({ name: "large.bin", bytes: size });
    const download = await fetch(url("/files/large.bin"));
    expect((await download.arrayBuffer()).byteLength).toBe(size);
  });

  test("a streamed body over the limit is refused, and nothing is kept", async () => {
    const response = await fetch(url("/files/huge.bin"), {
      method: "PUT",
      body: new Uint8Array(11 * 1024 * 1024),
    });
    expect(response.status).toBe(413);
    await response.text();
    expect((await fetch(url("/files/huge.bin"))).status).toBe(404);
  });
}
