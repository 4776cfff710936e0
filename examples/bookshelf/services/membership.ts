import { type Auth, hashPassword, verifyPassword } from "espalier";
import { EmailTaken, LogInFailed } from "../errors.ts";
import type { Accounts } from "../repositories/accounts.ts";
import type { Member, Members } from "../repositories/members.ts";
import type { Calendar } from "./calendar.ts";

/** Dependencies of {@link Membership}. */
export interface MembershipDependencies {
  readonly members: Members;
  readonly accounts: Accounts;
  readonly calendar: Calendar;
  readonly auth: Auth;
}

/** Registration, login and removal of members. */
export class Membership {
  readonly #dependencies: MembershipDependencies;

  constructor(dependencies: MembershipDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Registers a member.
   *
   * @throws EmailTaken
   */
  async join(person: Omit<Member, "id" | "joinedOn">, password: string): Promise<Member> {
    const { members, accounts, calendar } = this.#dependencies;
    const id = crypto.randomUUID();
    const passwordHash = await hashPassword(password);
    const account = { memberId: id, role: "member", passwordHash } as const;
    if (!(await accounts.add(person.email, account))) throw new EmailTaken();
    const member: Member = { id, ...person, joinedOn: calendar.today() };
    await members.add(member);
    return member;
  }

  /**
   * Verifies the password of an address and issues a token.
   *
   * @throws LogInFailed, without revealing whether the address is registered
   */
  async logIn(email: string, password: string): Promise<string> {
    const { accounts, auth } = this.#dependencies;
    const account = await accounts.find(email);
    // Takes equally long without an account: prevents user enumeration by timing.
    const isRight = await verifyPassword(password, account?.passwordHash);
    if (account === undefined || !isRight) throw new LogInFailed();
    return auth.generateToken({ id: account.memberId, role: account.role });
  }

  /** Deletes a member. */
  async leave(member: Member): Promise<void> {
    const { members, accounts } = this.#dependencies;
    await accounts.remove(member.email);
    await members.remove(member.id);
  }
}
