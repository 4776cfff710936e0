import { Controller } from "espalier";
import { logInRules } from "../rules.ts";
import type { Membership } from "../services/membership.ts";

/** Issues a token for the header `Authorization: Bearer`. */
export class LogIn extends Controller.for({ body: logInRules }) {
  static readonly inject = ["membership"];
  readonly #membership: Membership;

  constructor(membership: Membership) {
    super();
    this.#membership = membership;
  }

  async handle(): Promise<Response> {
    const { email, password } = this.body;
    const response = this.success({ token: await this.#membership.logIn(email, password) });
    response.headers.set("cache-control", "no-store");
    return response;
  }
}
