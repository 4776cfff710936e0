import { Controller, HttpError } from "espalier";
import { BookNotFound, CoverNotFound } from "../errors.ts";
import type { Books } from "../repositories/books.ts";
import type { Covers } from "../repositories/covers.ts";
import { byIsbn } from "../rules.ts";
import type { StoredFile } from "../storage/document-store.ts";

/** Signatures of the accepted image types, matched against the first 12 bytes as Latin-1. */
const beginnings = new Map([
  ["image/png", (start: string) => start.startsWith("\x89PNG\r\n")],
  ["image/jpeg", (start: string) => start.startsWith("\xff\xd8\xff")],
  ["image/webp", (start: string) => start.startsWith("RIFF") && start.endsWith("WEBP")],
]);

/** Stores the cover in the field `cover` of a multipart form. The route limits its size. */
export class UploadCover extends Controller.for({
  params: byIsbn,
  body: { cover: { type: "file", required: true } },
}) {
  static readonly inject = ["books", "covers"];
  readonly #books: Books;
  readonly #covers: Covers;

  constructor(books: Books, covers: Covers) {
    super();
    this.#books = books;
    this.#covers = covers;
  }

  protected override async beforeHandle(): Promise<Response | undefined> {
    if (await isPicture(this.body.cover)) return undefined;
    throw new HttpError(415, `A cover must be one of ${[...beginnings.keys()].join(", ")}.`);
  }

  async handle(): Promise<Response> {
    const { id } = this.params;
    if ((await this.#books.find(id)) === undefined) throw new BookNotFound(id);
    const { type, bytes } = await this.#covers.save(id, this.body.cover);
    const location = this.app.getRouter().url("books.cover.show", { id });
    return this.created({ type, size: bytes.byteLength }, location);
  }
}

/** Serves a cover; responds with 304 if the client's copy is current. */
export class ShowCover extends Controller.for({ params: byIsbn }) {
  static readonly inject = ["covers"];
  readonly #covers: Covers;
  #cover: StoredFile | undefined;

  constructor(covers: Covers) {
    super();
    this.#covers = covers;
  }

  protected override async beforeHandle(): Promise<Response | undefined> {
    this.#cover = await this.#covers.find(this.params.id);
    if (this.#cover === undefined) throw new CoverNotFound(this.params.id);
    const { etag } = this.#cover;
    if (this.context.request.headers.get("if-none-match") !== etag) return undefined;
    return new Response(null, { status: 304, headers: { etag } });
  }

  async handle(): Promise<Response> {
    if (this.#cover === undefined) throw new CoverNotFound(this.params.id);
    const { bytes, type, etag } = this.#cover;
    const response = this.file(bytes, { type, inline: true });
    response.headers.set("etag", etag);
    return response;
  }
}

/** Returns true if the file's signature matches its declared type. */
async function isPicture(file: Blob): Promise<boolean> {
  const beginsRight = beginnings.get(file.type);
  if (beginsRight === undefined) return false;
  const start = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  return beginsRight(String.fromCharCode(...start));
}
