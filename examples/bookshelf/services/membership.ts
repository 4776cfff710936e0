import { type Auth, hashPassword, verifyPassword } from "espalier";
import { EmailTaken, LogInFailed } from "../errors.ts";
import type { Accounts } from "../repositories/accounts.ts";
import type { Member, Members } from "../repositories/members.ts";
import type { Calendar } from "./calendar.ts";

/** Registration, login and removal of members. */
export class Membership {
  readonly #members: Members;
  readonly #accounts: Accounts;
  readonly #calendar: Calendar;
  readonly #auth: Auth;

  constructor(members: Members, accounts: Accounts, calendar: Calendar, auth: Auth) {
    this.#members = members;
    this.#accounts = accounts;
    this.#calendar = calendar;
    this.#auth = auth;
  }

  /**
   * Registers a member.
   *
   * @throws EmailTaken
   */
  async join(person: Omit<Member, "id" | "joinedOn">, password: string): Promise<Member> {
    const id = crypto.randomUUID();
    const passwordHash = await hashPassword(password);
    const account = { memberId: id, role: "member", passwordHash } as const;
    if (!(await this.#accounts.add(person.email, account))) throw new EmailTaken();
    const member: Member = { id, ...person, joinedOn: this.#calendar.today() };
    await this.#members.add(member);
    return member;
  }

  /**
   * Verifies the password of an address and issues a token.
   *
   * @throws LogInFailed, without revealing whether the address is registered
   */
  async logIn(email: string, password: string): Promise<string> {
    const account = await this.#accounts.find(email);
    // Takes equally long without an account: prevents user enumeration by timing.
    const isRight = await verifyPassword(password, account?.passwordHash);
    if (account === undefined || !isRight) throw new LogInFailed();
    return this.#auth.generateToken({ id: account.memberId, role: account.role });
  }

  /** Deletes a member. */
  async leave(member: Member): Promise<void> {
    await this.#accounts.remove(member.email);
    await this.#members.remove(member.id);
  }
}
