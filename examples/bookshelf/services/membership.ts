import { type Auth, hashPassword, verifyPassword } from "espalier";
import { EmailTaken, LogInFailed } from "../errors.ts";
import type { Accounts } from "../repositories/accounts.ts";
import type { Member, Members } from "../repositories/members.ts";
import type { Calendar } from "./calendar.ts";

/** Who joins, who is who, and who leaves. */
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
   * Makes a member of somebody.
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
   * A token for whoever knows the password of an address.
   *
   * @throws LogInFailed, which does not tell whether there is such an address
   */
  async logIn(email: string, password: string): Promise<string> {
    const account = await this.#accounts.find(email);
    // Without an account it takes as long, so that nobody learns from the time which there are.
    const isRight = await verifyPassword(password, account?.passwordHash);
    if (account === undefined || !isRight) throw new LogInFailed();
    return this.#auth.generateToken({ id: account.memberId, role: account.role });
  }

  /** Forgets a member. */
  async leave(member: Member): Promise<void> {
    await this.#accounts.remove(member.email);
    await this.#members.remove(member.id);
  }
}
