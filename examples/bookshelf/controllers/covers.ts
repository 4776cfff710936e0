import { Controller, HttpError, serveFile } from "espalier";
import { BookNotFound, CoverNotFound } from "../errors.ts";
import { byIsbn } from "../rules.ts";

/** Signatures of the accepted image types, matched against the first 12 bytes as Latin-1. */
const signatures = new Map([
  ["image/png", (start: string) => start.startsWith("\x89PNG\r\n")],
  ["image/jpeg", (start: string) => start.startsWith("\xff\xd8\xff")],
  ["image/webp", (start: string) => start.startsWith("RIFF") && start.endsWith("WEBP")],
]);

/** Stores the cover in the field `cover` of a multipart form. The route limits its size. */
export class UploadCover extends Controller.for({
  inject: ["books", "covers"],
  params: byIsbn,
  body: { cover: { type: "file", required: true } },
}) {
  protected override async beforeHandle(): Promise<void> {
    if (await isPicture(this.body.cover)) return;
    throw new HttpError(415, `A cover must be one of ${[...signatures.keys()].join(", ")}.`);
  }

  async handle() {
    const { id } = this.params;
    const { books, covers } = this.services;
    if ((await books.find(id)) === undefined) throw new BookNotFound(id);
    const { type, bytes } = await covers.save(id, this.body.cover);
    const location = this.app.getRouter().url("books.cover.show", { id });
    return this.created({ type, size: bytes.byteLength }, location);
  }
}

/** Serves a cover; `serveFile` responds with 304 if the client's copy is current. */
export class ShowCover extends Controller.for({ inject: ["covers"], params: byIsbn }) {
  async handle() {
    const { id } = this.params;
    const cover = await this.services.covers.find(id);
    if (cover === undefined) throw new CoverNotFound(id);
    const { bytes, type, etag } = cover;
    const content = new Blob([bytes]);
    return serveFile(this.context, {
      size: content.size,
      etag,
      type,
      inline: true,
      read: ({ offset, length } = { offset: 0, length: content.size }) =>
        content.slice(offset, offset + length).stream(),
    });
  }
}

/** Returns true if the file's signature matches its declared type. */
async function isPicture(file: Blob): Promise<boolean> {
  const matches = signatures.get(file.type);
  if (matches === undefined) return false;
  const start = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  return matches(String.fromCharCode(...start));
}
