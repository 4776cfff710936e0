import { Controller, verifyPassword } from "espalier";

/** Issues a token for the header `Authorization: Bearer`. */
export class SignIn extends Controller.for({
  inject: ["auth", "adminPasswordHash"],
  body: {
    name: { type: "string", required: true, max: 100 },
    password: { type: "string", required: true, max: 1024 },
  },
  responses: {
    200: { data: { token: { type: "string", required: true } } },
    401: "Invalid name or password.",
  },
}) {
  async handle() {
    const { auth, adminPasswordHash } = this.services;
    // This example has one user, the administrator. With more, look the hash up in a database. If the
    // user does not exist, pass undefined: verification takes equally long.
    const hash = this.body.name === "admin" ? adminPasswordHash : undefined;
    if (!(await verifyPassword(this.body.password, hash))) {
      return this.error("Invalid name or password.", 401);
    }
    const token = await auth.generateToken({ id: "admin", roles: ["admin"] });
    return this.success({ token }, 200, { "cache-control": "no-store" });
  }
}
