import { Controller, cursorPageOf, cursorRules, paginateByCursor } from "espalier";
import type { Account } from "../database/tables.ts";
import { NotFound } from "../errors.ts";
import { byUser, roleRules } from "../rules.ts";
import { pick, userView } from "../views.ts";
import { readPosition } from "./read-position.ts";

export class ShowMe extends Controller.for({
  inject: ["accounts"],
  middleware: ["auth"],
  responses: { 200: { data: userView } },
}) {
  async handle() {
    const { organisationId, id } = this.user;
    const account = await this.services.accounts.find(organisationId, id);
    if (account === undefined) throw new NotFound("user");
    return this.success(viewUser(account));
  }
}

export class ListUsers extends Controller.for({
  inject: ["accounts"],
  middleware: ["auth"],
  query: cursorRules(),
  responses: { 200: cursorPageOf(userView) },
}) {
  async handle() {
    const { cursor, limit } = this.query;
    const after = readPosition(cursor) ?? ["", ""];
    const accounts = await this.services.accounts.list(this.user.organisationId, after, limit);
    return paginateByCursor(this.context, {
      items: accounts.map(viewUser),
      limit,
      cursorOf: ({ name, id }) => [name, id],
    });
  }
}

export class ChangeRole extends Controller.for({
  inject: ["accounts"],
  middleware: ["auth"],
  params: byUser,
  body: roleRules,
  responses: { 200: { data: userView } },
}) {
  async handle() {
    const { accounts } = this.services;
    const { organisationId } = this.user;
    const account = await accounts.changeRole(organisationId, this.params.user, this.body.role);
    if (account === undefined) throw new NotFound("user");
    return this.success(viewUser(account));
  }
}

export function viewUser(account: Account) {
  return pick(account, ["id", "email", "name", "role", "createdAt"]);
}
