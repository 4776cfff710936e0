import { Controller, type RequestContext } from "espalier";
import { viewerIdOf } from "../access.ts";
import { articleListRules, pageRules } from "../rules.ts";

export class ListArticles extends Controller.for({
  inject: ["articles"],
  query: articleListRules,
}) {
  async handle(ctx: RequestContext) {
    const { tag, author, favorited, ...page } = this.query;
    const filter = { tag, author, favorited };
    return this.json(await this.services.articles.list(filter, page, viewerIdOf(ctx)));
  }
}

/** Lists the articles of the authors whom the user follows. */
export class ShowFeed extends Controller.for({ inject: ["articles"], query: pageRules }) {
  async handle(ctx: RequestContext) {
    const { id: followerId } = ctx.requireUser();
    return this.json(await this.services.articles.list({ followerId }, this.query, followerId));
  }
}
