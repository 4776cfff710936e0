import { describe, expect, test } from "vitest";
import { serveForSuite } from "../support/serve-for-suite.ts";
import { openClient } from "../support/stop-clients.ts";

interface State {
  readonly begun: number;
  readonly ended: number;
  readonly reports: readonly string[];
}

describe.each(["node", "deno", "bun"] as const)(
  "a client that leaves an upload, on %s",
  (runtime) => {
    const server = serveForSuite("test/faults/support/left-uploads-server.ts", runtime);

    const state = async (): Promise<State> =>
      (await (await fetch(new URL("/state", server.url))).json()) as State;

    /** Sends a part of a body, leaves once the handler reads it, and returns what is reported then. */
    const leave = async (
      path: string,
      framing: string,
      part: string,
      type = "application/x-www-form-urlencoded",
    ): Promise<readonly string[]> => {
      const { begun, reports } = await state();
      const client = await openClient(
        Number(new URL(server.url).port),
        `POST ${path} HTTP/1.1\r\nHost: a\r\n${framing}\r\n` +
          `Content-Type: ${type}\r\n\r\n${part}`,
      );
      await expect.poll(async () => (await state()).begun).toBe(begun + 1);
      client.socket.destroy();
      await expect.poll(async () => (await state()).ended).toBe(begun + 1);
      // The error is rendered after the handler.
      await new Promise((resolve) => setTimeout(resolve, 50));
      return (await state()).reports.slice(reports.length);
    };

    const multipart = "multipart/form-data; boundary=x";
    const ofLength = ["Content-Length: 1000", "a=1"] as const;
    const inChunks = ["Transfer-Encoding: chunked", "3\r\na=1\r\n"] as const;

    test("reports nothing: /parts", async () => {
      const part = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nhalf';
      expect(await leave("/parts", "Content-Length: 1000", part, multipart)).toEqual([]);
    });

    test.each(["/iterated", "/read", "/piped", "/text", "/form", "/cloned", "/forwarded"])(
      "reports nothing: %s",
      async (path) => {
        expect(await leave(path, ...ofLength)).toEqual([]);
        expect(await leave(path, ...inChunks)).toEqual([]);
      },
    );

    test("does not hide a fault of the handler", async () => {
      const reported = ["Unexpected error", "request.failed"];
      expect(await leave("/faulty", ...ofLength)).toEqual(reported);
      expect(await leave("/faulty", ...inChunks)).toEqual(reported);
    });
  },
);
