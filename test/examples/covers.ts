import { expect } from "vitest";
import { cover } from "../../examples/bookshelf/seed-data.ts";
import type { BookshelfAssertion } from "./assertions.ts";
import { addBook, newIsbn } from "./records.ts";
import { errorsOf, problemOf, type Send } from "./send.ts";

const picture = Uint8Array.from(atob(cover.base64), (character) => character.charCodeAt(0));

async function upload(
  send: Send,
  book: string,
  parts: Readonly<Record<string, Blob | string>>,
): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts)) form.append(name, value);
  // Serialised to bytes: on Node, cancelling the stream of a form causes an unhandled rejection.
  const encoded = new Response(form);
  const headers = { "content-type": encoded.headers.get("content-type") ?? "" };
  const body = await encoded.arrayBuffer();
  return send(`/api/v1/books/${book}/cover`, { method: "PUT", headers, body });
}

const png = (bytes: BlobPart = picture): Blob => new Blob([bytes], { type: "image/png" });

export const coverAssertions: readonly BookshelfAssertion[] = [
  {
    title: "an uploaded cover is served, byte for byte",
    async run(send) {
      const id = await addBook(send);
      const path = `/api/v1/books/${id}/cover`;
      expect(await problemOf(await send(path))).toEqual([404, `Book ${id} has no cover.`]);

      const uploaded = await upload(send, id, { cover: png() });
      expect([uploaded.status, uploaded.headers.get("location")]).toEqual([201, path]);
      expect(await uploaded.json()).toEqual({
        success: true,
        data: { type: "image/png", size: picture.length },
      });

      const served = await send(path);
      expect(Object.fromEntries(served.headers)).toMatchObject({
        "content-type": "image/png",
        "content-disposition": "inline",
        "cache-control": "public, max-age=300",
        "x-content-type-options": "nosniff",
      });
      expect(new Uint8Array(await served.arrayBuffer())).toEqual(picture);
      await send(`/api/v1/books/${id}`, { method: "DELETE" });
      expect((await send(path)).status).toBe(404);
    },
  },
  {
    title: "a conditional request for a current cover responds with 304",
    async run(send) {
      const path = `/api/v1/books/${cover.bookId}/cover`;
      const first = await send(path);
      await first.arrayBuffer();
      const etag = first.headers.get("etag") ?? "";
      expect(etag).toMatch(/^"[\da-f]{32}"$/);
      const again = await send(path, { headers: { "if-none-match": etag } });
      expect([again.status, again.headers.get("etag"), await again.text()]).toEqual([
        304,
        etag,
        "",
      ]);
      expect(again.headers.get("cache-control")).toBe("public, max-age=300");
      const other = await send(path, { headers: { "if-none-match": '"other"' } });
      expect(other.status).toBe(200);
      await other.arrayBuffer();
      const head = await send(path, { method: "HEAD" });
      expect([head.status, head.headers.get("etag"), await head.text()]).toEqual([200, etag, ""]);
    },
  },
  {
    title: "a file that is not an image is rejected, whatever its declared type",
    async run(send) {
      const id = await addBook(send);
      const page = "<script>alert(1)</script>";
      for (const file of [new Blob([page], { type: "text/html" }), png(page), png("\x89PN")]) {
        const response = await upload(send, id, { cover: file });
        expect(await problemOf(response)).toEqual([
          415,
          "A cover must be one of image/png, image/jpeg, image/webp.",
        ]);
      }
      for (const parts of [{ cover: "a text" }, { cover: "" }, { picture: png() }]) {
        const [status, errors] = await errorsOf(await upload(send, id, parts));
        expect([status, Object.keys(errors as object)]).toEqual([422, ["cover"]]);
      }
    },
  },
  {
    title: "a cover over the route's limit responds with 413; other routes keep their larger limit",
    async run(send) {
      const id = await addBook(send);
      const bytes = new Uint8Array(600 * 1024);
      bytes.set(picture);
      const response = await upload(send, id, { cover: png(bytes) });
      expect(await problemOf(response)).toEqual([
        413,
        "The request body is larger than 524288 bytes.",
      ]);
      expect((await send(`/api/v1/books/${id}/cover`)).status).toBe(404);
      const fitting = await upload(send, id, { cover: png(bytes.subarray(0, 500 * 1024)) });
      expect(fitting.status).toBe(201);
    },
  },
  {
    title: "a cover requires an existing book and a form",
    async run(send) {
      const id = newIsbn();
      const problem = await problemOf(await upload(send, id, { cover: png() }));
      expect(problem).toEqual([404, `Book ${id} not found.`]);
      const raw = await send(`/api/v1/books/${id}/cover`, { method: "PUT", body: png() });
      expect(await problemOf(raw)).toEqual([415, "Send multipart/form-data."]);
    },
  },
];
