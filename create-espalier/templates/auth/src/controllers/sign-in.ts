import { type Auth, Controller, verifyPassword } from "espalier";

/** Gives a token, which `Authorization: Bearer` carries from then on. */
export class SignIn extends Controller.for({
  body: {
    name: { type: "string", required: true, max: 100 },
    password: { type: "string", required: true, max: 1024 },
  },
}) {
  static readonly inject = ["auth", "adminPasswordHash"];
  readonly #auth: Auth;
  readonly #adminPasswordHash: string;

  constructor(auth: Auth, adminPasswordHash: string) {
    super();
    this.#auth = auth;
    this.#adminPasswordHash = adminPasswordHash;
  }

  async handle(): Promise<Response> {
    // There is one user, the administrator. Look the hash up in your database once there are more:
    // without a user it is undefined, and verifying takes as long.
    const hash = this.body.name === "admin" ? this.#adminPasswordHash : undefined;
    if (!(await verifyPassword(this.body.password, hash))) {
      return this.error("Name or password is wrong.", 401);
    }
    const token = await this.#auth.generateToken({ id: "admin", roles: ["admin"] });
    const response = this.success({ token });
    response.headers.set("cache-control", "no-store");
    return response;
  }
}
