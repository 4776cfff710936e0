import { type Auth, Controller, verifyPassword } from "espalier";

/** Issues a token for the header `Authorization: Bearer`. */
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
    // This example has one user, the administrator. With more, look the hash up in a database. If the
    // user does not exist, pass undefined: verification takes equally long.
    const hash = this.body.name === "admin" ? this.#adminPasswordHash : undefined;
    if (!(await verifyPassword(this.body.password, hash))) {
      return this.error("Invalid name or password.", 401);
    }
    const token = await this.#auth.generateToken({ id: "admin", roles: ["admin"] });
    const response = this.success({ token });
    response.headers.set("cache-control", "no-store");
    return response;
  }
}
