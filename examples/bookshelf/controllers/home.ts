import { Controller, file, type RequestContext, redirect } from "espalier";
import { BookNotFound } from "../errors.ts";
import { bookIdOf } from "../isbn.ts";
import { homePage, themes } from "../page/home-page.ts";
import { stylesheet as css } from "../page/stylesheet.ts";

const themeCookie = "theme";
const yearSeconds = 365 * 24 * 60 * 60;

/** Renders the page at `/`: the shelf, and an example request for every route. */
export class HomePage extends Controller.for({ inject: ["catalogue", "storage"] }) {
  async handle(ctx: RequestContext) {
    const { catalogue, storage } = this.services;
    const page = homePage({
      router: this.app.getRouter(),
      origin: ctx.url.origin,
      entries: await catalogue.find({ sort: "title" }),
      storageName: storage.name,
      theme: themes.find((name) => name === ctx.cookies.get(themeCookie)) ?? "system",
    });
    return this.html(page.text);
  }

  protected override afterHandle(response: Response): Response {
    response.headers.set(
      "content-security-policy",
      "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; " +
        "base-uri 'none'; frame-ancestors 'none'",
    );
    // Not cacheable: it depends on the visitor's cookie, and the shelf changes with every loan.
    response.headers.set("cache-control", "private, no-cache");
    return response;
  }
}

export function stylesheet(): Response {
  return file(css, { type: "text/css; charset=utf-8", inline: true });
}

/** Stores the chosen theme in a cookie and redirects to the page. */
export class ChooseTheme extends Controller.for({
  body: { theme: { enum: themes, required: true } },
}) {
  handle(ctx: RequestContext) {
    ctx.cookies.set(themeCookie, this.body.theme, {
      maxAgeSeconds: yearSeconds,
      // Some browsers reject Secure cookies from http://localhost.
      secure: ctx.url.protocol === "https:",
    });
    return this.redirect(this.app.getRouter().url("home"), 303);
  }
}

/** Redirects from an ISBN, with or without hyphens, to the book. */
export async function openShortLink(ctx: RequestContext<{ isbn: string }>): Promise<Response> {
  const id = bookIdOf(ctx.params.isbn);
  const book = /^\d{13}$/.test(id) ? await ctx.resolve("books").find(id) : undefined;
  if (book === undefined) throw new BookNotFound(ctx.params.isbn);
  return redirect(ctx.app.getRouter().url("books.show", { id: book.id }));
}
