import { Controller, type RequestContext } from "espalier";
import { viewerIdOf } from "../access.ts";
import { NotFound } from "../errors.ts";
import { byComment, bySlug, commentRules } from "../rules.ts";

export class ListComments extends Controller.for({ inject: ["comments"], params: bySlug }) {
  async handle(ctx: RequestContext) {
    const comments = await this.services.comments.list(this.params.slug, viewerIdOf(ctx));
    if (comments === undefined) throw new NotFound("article");
    return this.json({ comments });
  }
}

export class CreateComment extends Controller.for({
  inject: ["comments"],
  params: bySlug,
  body: commentRules,
}) {
  async handle(ctx: RequestContext) {
    const { body } = this.body.comment;
    const { id } = ctx.requireUser();
    const comment = await this.services.comments.add(this.params.slug, body, id);
    if (comment === undefined) throw new NotFound("article");
    return this.json({ comment });
  }
}

/** Requires `can:own-comment`. */
export class RemoveComment extends Controller.for({ inject: ["comments"], params: byComment }) {
  async handle() {
    await this.services.comments.remove(this.params.id);
    return this.noContent();
  }
}
