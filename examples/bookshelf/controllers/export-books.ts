import { Controller } from "espalier";
import type { Book } from "../repositories/books.ts";

/** Streams all books as a CSV file (RFC 4180): rows are sent while the books are read. */
export class ExportBooks extends Controller.for({ inject: ["books"] }) {
  handle() {
    const lines = csvLines(this.services.books.all());
    return this.stream(lines, { type: "text/csv; charset=utf-8; header=present" });
  }

  protected override afterHandle(response: Response): Response {
    response.headers.set("content-disposition", 'attachment; filename="books.csv"');
    return response;
  }
}

async function* csvLines(books: AsyncIterable<Book>): AsyncGenerator<string> {
  yield csvLine(["isbn", "title", "authors", "publishedOn", "pages", "tags"]);
  for await (const { isbn, title, authors, publishedOn, pages, tags } of books) {
    const count = pages === undefined ? "" : String(pages);
    yield csvLine([isbn, title, authors.join("; "), publishedOn, count, tags.join(" ")]);
  }
}

function csvLine(fields: readonly string[]): string {
  return `${fields.map(csvField).join(",")}\r\n`;
}

function csvField(text: string): string {
  // Prevents CSV injection: spreadsheets evaluate a field that starts with these characters.
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
