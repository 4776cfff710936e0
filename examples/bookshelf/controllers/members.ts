import { Controller, type RequestContext, success } from "espalier";
import { MemberHasBooks, MemberNotFound } from "../errors.ts";
import type { Member } from "../repositories/members.ts";
import { byUuid, memberRules } from "../rules.ts";
import { loanView, memberView } from "../views.ts";

/** A plain function is enough for a route without input. */
export async function listMembers(ctx: RequestContext): Promise<Response> {
  const members = await Array.fromAsync(ctx.resolve("members").all());
  const router = ctx.app.getRouter();
  members.sort((a, b) => a.name.localeCompare(b.name));
  return success(members.map((member) => memberView(router, member)));
}

/** Creates a member; no authentication required. */
export class AddMember extends Controller.for({ inject: ["membership"], body: memberRules }) {
  async handle() {
    const { password, ...person } = this.body;
    const member = await this.services.membership.join(person, password);
    const router = this.app.getRouter();
    const location = router.url("members.show", { id: member.id });
    return this.created(memberView(router, member), location);
  }
}

/** Base class of the controllers of a single member: loads the member before `handle`. */
abstract class OneMember extends Controller.for({
  inject: ["members", "lending", "membership"],
  params: byUuid,
}) {
  #member: Member | undefined;

  protected override async beforeHandle(): Promise<void> {
    this.#member = await this.services.members.find(this.params.id);
    if (this.#member === undefined) throw new MemberNotFound(this.params.id);
  }

  /** The member identified by the path. */
  protected get member(): Member {
    if (this.#member === undefined) throw new MemberNotFound(this.params.id);
    return this.#member;
  }
}

export class ShowMember extends OneMember {
  handle() {
    return this.success(memberView(this.app.getRouter(), this.member));
  }
}

export class RemoveMember extends OneMember {
  async handle() {
    const { id } = this.member;
    const { lending, membership } = this.services;
    const held = await lending.current((loan) => loan.memberId === id);
    if (held.length > 0) throw new MemberHasBooks(id);
    await membership.leave(this.member);
    return this.noContent();
  }
}

export class ListMemberLoans extends OneMember {
  async handle() {
    const loans = await this.services.lending.current((loan) => loan.memberId === this.member.id);
    return this.success(loans.map((loan) => loanView(this.app.getRouter(), loan)));
  }
}
