import { Controller, type RequestContext } from "espalier";
import { userIdOf, viewerIdOf } from "../access.ts";
import { NotFound } from "../errors.ts";
import type { Comments } from "../repositories/comments.ts";
import { byComment, bySlug, commentRules } from "../rules.ts";

export class ListComments extends Controller.for({ params: bySlug }) {
  static readonly inject = ["comments"];
  readonly #comments: Comments;

  constructor(comments: Comments) {
    super();
    this.#comments = comments;
  }

  async handle(ctx: RequestContext): Promise<Response> {
    const comments = await this.#comments.list(this.params.slug, viewerIdOf(ctx));
    if (comments === undefined) throw new NotFound("article");
    return this.json({ comments });
  }
}

export class CreateComment extends Controller.for({ params: bySlug, body: commentRules }) {
  static readonly inject = ["comments"];
  readonly #comments: Comments;

  constructor(comments: Comments) {
    super();
    this.#comments = comments;
  }

  async handle(ctx: RequestContext): Promise<Response> {
    const { body } = this.body.comment;
    const comment = await this.#comments.add(this.params.slug, body, userIdOf(ctx));
    if (comment === undefined) throw new NotFound("article");
    return this.json({ comment });
  }
}

/** Requires `can:own-comment`. */
export class RemoveComment extends Controller.for({ params: byComment }) {
  static readonly inject = ["comments"];
  readonly #comments: Comments;

  constructor(comments: Comments) {
    super();
    this.#comments = comments;
  }

  async handle(): Promise<Response> {
    await this.#comments.remove(this.params.id);
    return this.noContent();
  }
}
