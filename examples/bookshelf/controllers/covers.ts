import { Controller, HttpError } from "espalier";
import { BookNotFound, CoverNotFound } from "../errors.ts";
import { byIsbn } from "../rules.ts";
import type { StoredFile } from "../storage/document-store.ts";

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
  protected override async beforeHandle(): Promise<Response | undefined> {
    if (await isPicture(this.body.cover)) return undefined;
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

/** Serves a cover; responds with 304 if the client's copy is current. */
export class ShowCover extends Controller.for({ inject: ["covers"], params: byIsbn }) {
  #cover: StoredFile | undefined;

  protected override async beforeHandle(): Promise<Response | undefined> {
    this.#cover = await this.services.covers.find(this.params.id);
    if (this.#cover === undefined) throw new CoverNotFound(this.params.id);
    const { etag } = this.#cover;
    if (this.context.headers.get("if-none-match") !== etag) return undefined;
    return new Response(null, { status: 304, headers: { etag } });
  }

  async handle() {
    if (this.#cover === undefined) throw new CoverNotFound(this.params.id);
    const { bytes, type, etag } = this.#cover;
    const response = this.file(bytes, { type, inline: true });
    response.headers.set("etag", etag);
    return response;
  }
}

/** Returns true if the file's signature matches its declared type. */
async function isPicture(file: Blob): Promise<boolean> {
  const matches = signatures.get(file.type);
  if (matches === undefined) return false;
  const start = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  return matches(String.fromCharCode(...start));
}
