import { Controller, type RequestContext } from "espalier";
import { userIdOf, viewerIdOf } from "../access.ts";
import { NotFound, NotSignedIn } from "../errors.ts";
import type { Articles } from "../repositories/articles.ts";
import { articleChangeRules, bySlug, newArticleRules } from "../rules.ts";

export class CreateArticle extends Controller.for({ body: newArticleRules }) {
  static readonly inject = ["articles"];
  readonly #articles: Articles;

  constructor(articles: Articles) {
    super();
    this.#articles = articles;
  }

  async handle(ctx: RequestContext): Promise<Response> {
    const article = await this.#articles.add(this.body.article, userIdOf(ctx));
    if (article === undefined) throw new NotSignedIn("The account of this token no longer exists.");
    return this.json({ article }, 201);
  }
}

export class ShowArticle extends Controller.for({ params: bySlug }) {
  static readonly inject = ["articles"];
  readonly #articles: Articles;

  constructor(articles: Articles) {
    super();
    this.#articles = articles;
  }

  async handle(ctx: RequestContext): Promise<Response> {
    const article = await this.#articles.find(this.params.slug, viewerIdOf(ctx));
    if (article === undefined) throw new NotFound("article");
    return this.json({ article });
  }
}

/** Requires `can:own-article`, as does {@link RemoveArticle}. */
export class UpdateArticle extends Controller.for({ params: bySlug, body: articleChangeRules }) {
  static readonly inject = ["articles"];
  readonly #articles: Articles;

  constructor(articles: Articles) {
    super();
    this.#articles = articles;
  }

  async handle(ctx: RequestContext): Promise<Response> {
    const { slug } = this.params;
    const article = await this.#articles.change(slug, this.body.article, userIdOf(ctx));
    if (article === undefined) throw new NotFound("article");
    return this.json({ article });
  }
}

export class RemoveArticle extends Controller.for({ params: bySlug }) {
  static readonly inject = ["articles"];
  readonly #articles: Articles;

  constructor(articles: Articles) {
    super();
    this.#articles = articles;
  }

  async handle(): Promise<Response> {
    await this.#articles.remove(this.params.slug);
    return this.noContent();
  }
}

export class FavoriteArticle extends Controller.for({ params: bySlug }) {
  static readonly inject = ["articles"];
  readonly #articles: Articles;

  constructor(articles: Articles) {
    super();
    this.#articles = articles;
  }

  async handle(ctx: RequestContext): Promise<Response> {
    const article = await this.#articles.favorite(this.params.slug, userIdOf(ctx));
    if (article === undefined) throw new NotFound("article");
    return this.json({ article });
  }
}

export class UnfavoriteArticle extends Controller.for({ params: bySlug }) {
  static readonly inject = ["articles"];
  readonly #articles: Articles;

  constructor(articles: Articles) {
    super();
    this.#articles = articles;
  }

  async handle(ctx: RequestContext): Promise<Response> {
    const article = await this.#articles.unfavorite(this.params.slug, userIdOf(ctx));
    if (article === undefined) throw new NotFound("article");
    return this.json({ article });
  }
}
