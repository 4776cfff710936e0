import { Controller, cursorPageOf, cursorRules, paginateByCursor } from "espalier";
import { ticketOf } from "../access/load-ticket.ts";
import type { Comment } from "../database/tables.ts";
import { commentRules } from "../rules.ts";
import { commentView, pick } from "../views.ts";
import { readPosition } from "./read-position.ts";

export class ListComments extends Controller.for({
  inject: ["comments"],
  query: cursorRules(),
  responses: { 200: cursorPageOf(commentView) },
}) {
  async handle() {
    const { cursor, limit } = this.query;
    const after = readPosition(cursor) ?? ["", ""];
    const { id } = ticketOf(this.context);
    const comments = await this.services.comments.list(id, after, limit);
    return paginateByCursor(this.context, {
      items: comments.map(viewComment),
      limit,
      cursorOf: ({ createdAt, id }) => [createdAt, id],
    });
  }
}

export class AddComment extends Controller.for({
  inject: ["desk"],
  middleware: ["auth"],
  body: commentRules,
  responses: { 201: { data: commentView } },
}) {
  async handle() {
    const ticket = ticketOf(this.context);
    const { body } = this.body;
    const comment = await this.services.desk.comment(ticket, { body }, this.user.id);
    return this.created(viewComment(comment));
  }
}

function viewComment(comment: Comment) {
  return pick(comment, ["id", "authorId", "body", "createdAt"]);
}
