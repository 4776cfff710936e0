import { Controller, type RequestContext } from "espalier";
import { userIdOf, viewerIdOf } from "../access.ts";
import type { Articles } from "../repositories/articles.ts";
import { articleListRules, pageRules } from "../rules.ts";

export class ListArticles extends Controller.for({ query: articleListRules }) {
  static readonly inject = ["articles"];
  readonly #articles: Articles;

  constructor(articles: Articles) {
    super();
    this.#articles = articles;
  }

  async handle(ctx: RequestContext): Promise<Response> {
    const { tag, author, favorited, ...page } = this.query;
    const filter = { tag, author, favorited };
    return this.json(await this.#articles.list(filter, page, viewerIdOf(ctx)));
  }
}

/** Lists the articles of the authors whom the user follows. */
export class ShowFeed extends Controller.for({ query: pageRules }) {
  static readonly inject = ["articles"];
  readonly #articles: Articles;

  constructor(articles: Articles) {
    super();
    this.#articles = articles;
  }

  async handle(ctx: RequestContext): Promise<Response> {
    const followerId = userIdOf(ctx);
    return this.json(await this.#articles.list({ followerId }, this.query, followerId));
  }
}
