import { Controller, type RequestContext } from "espalier";
import { viewerIdOf } from "../access.ts";
import { NotFound, NotSignedIn } from "../errors.ts";
import { articleChangeRules, bySlug, newArticleRules } from "../rules.ts";

export class CreateArticle extends Controller.for({ inject: ["articles"], body: newArticleRules }) {
  async handle(ctx: RequestContext) {
    const authorId = ctx.requireUser().id;
    const article = await this.services.articles.add(this.body.article, authorId);
    if (article === undefined) throw new NotSignedIn("The account of this token no longer exists.");
    return this.json({ article }, 201);
  }
}

export class ShowArticle extends Controller.for({ inject: ["articles"], params: bySlug }) {
  async handle(ctx: RequestContext) {
    const article = await this.services.articles.find(this.params.slug, viewerIdOf(ctx));
    if (article === undefined) throw new NotFound("article");
    return this.json({ article });
  }
}

/** Requires `can:own-article`, as does {@link RemoveArticle}. */
export class UpdateArticle extends Controller.for({
  inject: ["articles"],
  params: bySlug,
  body: articleChangeRules,
}) {
  async handle(ctx: RequestContext) {
    const { articles } = this.services;
    const viewerId = ctx.requireUser().id;
    const article = await articles.change(this.params.slug, this.body.article, viewerId);
    if (article === undefined) throw new NotFound("article");
    return this.json({ article });
  }
}

export class RemoveArticle extends Controller.for({ inject: ["articles"], params: bySlug }) {
  async handle() {
    await this.services.articles.remove(this.params.slug);
    return this.noContent();
  }
}

export class FavoriteArticle extends Controller.for({ inject: ["articles"], params: bySlug }) {
  async handle(ctx: RequestContext) {
    const { id } = ctx.requireUser();
    const article = await this.services.articles.favorite(this.params.slug, id);
    if (article === undefined) throw new NotFound("article");
    return this.json({ article });
  }
}

export class UnfavoriteArticle extends Controller.for({ inject: ["articles"], params: bySlug }) {
  async handle(ctx: RequestContext) {
    const { id } = ctx.requireUser();
    const article = await this.services.articles.unfavorite(this.params.slug, id);
    if (article === undefined) throw new NotFound("article");
    return this.json({ article });
  }
}
