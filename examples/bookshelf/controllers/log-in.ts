import { Controller } from "espalier";
import { logInRules } from "../rules.ts";

/** Issues a token for the header `Authorization: Bearer`. */
export class LogIn extends Controller.for({ inject: ["membership"], body: logInRules }) {
  async handle() {
    const { email, password } = this.body;
    const token = await this.services.membership.logIn(email, password);
    return this.success({ token }, 200, { "cache-control": "no-store" });
  }
}
