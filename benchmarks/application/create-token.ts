import { createHmac } from "node:crypto";
import { tokenSecret } from "./applications.ts";

/** Creates a JSON Web Token (HS256) for a user with roles, valid for a day. */
export function createToken(roles: readonly string[]): string {
  const now = Math.floor(Date.now() / 1000);
  const user = { id: "m7", roles };
  const payload = { sub: user.id, user, iat: now - 1, exp: now + 24 * 60 * 60 };
  const signed = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(payload)}`;
  return `${signed}.${createHmac("sha256", tokenSecret).update(signed).digest("base64url")}`;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}
