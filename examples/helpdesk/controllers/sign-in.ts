import { Controller, hashPassword, verifyPassword } from "espalier";
import { EmailTaken, NotFound, SignInFailed } from "../errors.ts";
import { accountRules, byOrganisation, refreshRules, signInRules } from "../rules.ts";
import { tokensView, userView } from "../views.ts";
import { viewUser } from "./users.ts";

/** Keeps tokens out of caches. */
const noStore = { "cache-control": "no-store" } as const;

/** Registers a customer. */
export class SignUp extends Controller.for({
  inject: ["organisations", "accounts", "now"],
  params: byOrganisation,
  body: accountRules,
  responses: { 201: { data: userView } },
}) {
  async handle() {
    const { organisations, accounts, now } = this.services;
    const organisation = await organisations.findBySlug(this.params.organisation);
    if (organisation === undefined) throw new NotFound("organisation");
    const account = {
      id: crypto.randomUUID(),
      organisationId: organisation.id,
      email: this.body.email.toLowerCase(),
      name: this.body.name,
      role: "customer" as const,
      passwordHash: await hashPassword(this.body.password),
      createdAt: now().toISOString(),
    };
    if (!(await accounts.add(account))) throw new EmailTaken();
    return this.created(viewUser(account));
  }
}

export class SignIn extends Controller.for({
  inject: ["organisations", "accounts", "auth"],
  params: byOrganisation,
  body: signInRules,
  responses: { 200: { data: tokensView } },
}) {
  async handle() {
    const { organisations, accounts, auth } = this.services;
    const { email, password } = this.body;
    const organisation = await organisations.findBySlug(this.params.organisation);
    const account = organisation && (await accounts.findByEmail(organisation.id, email));
    // Also without such an account: prevents user enumeration by timing.
    const isRight = await verifyPassword(password, account?.passwordHash);
    if (organisation === undefined || account === undefined || !isRight) throw new SignInFailed();
    const { id, organisationId, role } = account;
    const user = { id, organisationId, organisation: organisation.slug, role };
    return this.success(await auth.issueTokens(user), 200, noStore);
  }
}

/** Exchanges a refresh token, which is valid once, for new tokens. */
export class Refresh extends Controller.for({
  inject: ["auth"],
  body: refreshRules,
  responses: { 200: { data: tokensView } },
}) {
  async handle() {
    const tokens = await this.services.auth.refresh(this.body.refreshToken, this.context);
    if (tokens === null) throw new SignInFailed("The refresh token is not valid. Sign in again.");
    return this.success(tokens, 200, noStore);
  }
}

/** Ends a sign-in: neither its refresh token nor its access tokens are valid any more. */
export class SignOut extends Controller.for({ inject: ["auth"], body: refreshRules }) {
  async handle() {
    await this.services.auth.revoke(this.body.refreshToken);
    return this.noContent();
  }
}
