import { createHmac } from "node:crypto";
import { tokenSecret } from "./routes/access.ts";

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Creates a token with these claims, signed here so that it can be invalid in every way. */
function token(claims: object, secret = tokenSecret, header: object = { alg: "HS256" }): string {
  const content = `${encode(header)}.${encode(claims)}`;
  return `${content}.${createHmac("sha256", secret).update(content).digest("base64url")}`;
}

const claims = {
  sub: "7",
  user: { id: "7", role: "editor" },
  iss: "parity",
  iat: 1_750_000_000,
  exp: 4_000_000_000,
};

/** Tokens by their defect. */
export const tokens = {
  good: token(claims),
  reader: token({ ...claims, user: { id: "8", role: "reader" }, sub: "8" }),
  expired: token({ ...claims, exp: 1_750_000_100 }),
  early: token({ ...claims, nbf: 3_999_999_999 }),
  foreign: token({ ...claims, iss: "another-issuer" }),
  unsigned: `${encode({ alg: "none" })}.${encode(claims)}.`,
  forged: token(claims, "another secret that is long enough"),
  changed: `${token(claims).slice(0, -2)}AA`,
  timeless: token({ sub: "7", iss: "parity" }),
} as const;
