import { type Auth, Controller, hashPassword, type RequestContext, verifyPassword } from "espalier";
import { NotSignedIn } from "../errors.ts";
import type { User } from "../repositories/users.ts";
import { accountRules, logInRules, registrationRules } from "../rules.ts";

const accountIsGone = "The account of this token no longer exists.";

/** Keeps tokens out of caches. */
const noStore = { "cache-control": "no-store" } as const;

export class RegisterUser extends Controller.for({
  inject: ["users", "auth"],
  body: registrationRules,
}) {
  async handle() {
    const { users, auth } = this.services;
    const { email, username, password } = this.body.user;
    const user = await users.add({ email, username, passwordHash: await hashPassword(password) });
    return this.json(await accountView(user, auth), 201, noStore);
  }
}

export class LogIn extends Controller.for({ inject: ["users", "auth"], body: logInRules }) {
  async handle() {
    const { users, auth } = this.services;
    const { email, password } = this.body.user;
    const user = await users.findByEmail(email);
    // Also verified without such a user: prevents user enumeration by timing.
    const isRight = await verifyPassword(password, user?.passwordHash);
    if (user === undefined || !isRight) throw new NotSignedIn("email or password is invalid");
    return this.json(await accountView(user, auth), 200, noStore);
  }
}

export class ShowAccount extends Controller.for({ inject: ["users", "auth"] }) {
  async handle(ctx: RequestContext) {
    const { users, auth } = this.services;
    const user = await users.find(ctx.requireUser().id);
    if (user === undefined) throw new NotSignedIn(accountIsGone);
    return this.json(await accountView(user, auth), 200, noStore);
  }
}

export class UpdateAccount extends Controller.for({
  inject: ["users", "auth"],
  body: accountRules,
}) {
  async handle(ctx: RequestContext) {
    const { users, auth } = this.services;
    const { email, username, password, bio, image } = this.body.user;
    const passwordHash = password === undefined ? undefined : await hashPassword(password);
    const user = await users.change(ctx.requireUser().id, {
      email,
      username,
      passwordHash,
      bio: bio === "" ? null : bio,
      image: image === "" ? null : image,
    });
    if (user === undefined) throw new NotSignedIn(accountIsGone);
    return this.json(await accountView(user, auth), 200, noStore);
  }
}

/** Returns a user's own view of the account, with a new token. */
async function accountView({ id, email, username, bio, image }: User, auth: Auth) {
  return { user: { email, token: await auth.generateToken({ id }), username, bio, image } };
}
