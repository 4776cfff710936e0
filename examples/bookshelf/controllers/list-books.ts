import { Controller } from "espalier";
import { bookListRules } from "../rules.ts";
import { bookView } from "../views.ts";

/** Lists books with pagination. The `Link` header (RFC 8288) has the URLs of the other pages. */
export class ListBooks extends Controller.for({ inject: ["catalogue"], query: bookListRules }) {
  #total = 0;

  async handle() {
    const { page, perPage, ...wanted } = this.query;
    const entries = await this.services.catalogue.find(wanted);
    this.#total = entries.length;
    const router = this.app.getRouter();
    const shown = entries.slice((page - 1) * perPage, page * perPage);
    return this.success(shown.map(({ book, available }) => bookView(router, book, available)));
  }

  protected override afterHandle(response: Response): Response {
    response.headers.set("x-total-count", String(this.#total));
    response.headers.set("link", this.#links());
    return response;
  }

  #links(): string {
    const { page, perPage } = this.query;
    const last = Math.max(1, Math.ceil(this.#total / perPage));
    const pages = { first: 1, prev: page - 1, next: page + 1, last };
    return Object.entries(pages)
      .filter(([, number]) => number >= 1 && number <= last)
      .map(([relation, number]) => `<${this.#urlOf(number)}>; rel="${relation}"`)
      .join(", ");
  }

  #urlOf(page: number): string {
    return this.app.getRouter().url("books.list", {}, { ...this.query, page });
  }
}
