import { type Auth, Controller, hashPassword, type RequestContext, verifyPassword } from "espalier";
import { userIdOf } from "../access.ts";
import { NotSignedIn } from "../errors.ts";
import type { User, Users } from "../repositories/users.ts";
import { accountRules, logInRules, registrationRules } from "../rules.ts";

const accountIsGone = "The account of this token no longer exists.";

export class RegisterUser extends Controller.for({ body: registrationRules }) {
  static readonly inject = ["users", "auth"];
  readonly #users: Users;
  readonly #auth: Auth;

  constructor(users: Users, auth: Auth) {
    super();
    this.#users = users;
    this.#auth = auth;
  }

  async handle(): Promise<Response> {
    const { email, username, password } = this.body.user;
    const passwordHash = await hashPassword(password);
    const user = await this.#users.add({ email, username, passwordHash });
    return privately(this.json(await accountView(user, this.#auth), 201));
  }
}

export class LogIn extends Controller.for({ body: logInRules }) {
  static readonly inject = ["users", "auth"];
  readonly #users: Users;
  readonly #auth: Auth;

  constructor(users: Users, auth: Auth) {
    super();
    this.#users = users;
    this.#auth = auth;
  }

  async handle(): Promise<Response> {
    const { email, password } = this.body.user;
    const user = await this.#users.findByEmail(email);
    // Also verified without such a user: prevents user enumeration by timing.
    const isRight = await verifyPassword(password, user?.passwordHash);
    if (user === undefined || !isRight) throw new NotSignedIn("email or password is invalid");
    return privately(this.json(await accountView(user, this.#auth)));
  }
}

export class ShowAccount extends Controller {
  static readonly inject = ["users", "auth"];
  readonly #users: Users;
  readonly #auth: Auth;

  constructor(users: Users, auth: Auth) {
    super();
    this.#users = users;
    this.#auth = auth;
  }

  async handle(ctx: RequestContext): Promise<Response> {
    const user = await this.#users.find(userIdOf(ctx));
    if (user === undefined) throw new NotSignedIn(accountIsGone);
    return privately(this.json(await accountView(user, this.#auth)));
  }
}

export class UpdateAccount extends Controller.for({ body: accountRules }) {
  static readonly inject = ["users", "auth"];
  readonly #users: Users;
  readonly #auth: Auth;

  constructor(users: Users, auth: Auth) {
    super();
    this.#users = users;
    this.#auth = auth;
  }

  async handle(ctx: RequestContext): Promise<Response> {
    const { email, username, password } = this.body.user;
    const passwordHash = password === undefined ? undefined : await hashPassword(password);
    const { bio, image } = this.body.user;
    const changes = {
      email,
      username,
      passwordHash,
      bio: bio === "" ? null : bio,
      image: image === "" ? null : image,
    };
    const user = await this.#users.change(userIdOf(ctx), changes);
    if (user === undefined) throw new NotSignedIn(accountIsGone);
    return privately(this.json(await accountView(user, this.#auth)));
  }
}

/** Returns a user's own view of the account, with a new token. */
async function accountView({ id, email, username, bio, image }: User, auth: Auth): Promise<object> {
  return { user: { email, token: await auth.generateToken({ id }), username, bio, image } };
}

/** Prevents caches from storing a token. */
function privately(response: Response): Response {
  response.headers.set("cache-control", "no-store");
  return response;
}
