import { jwtVerify } from "jose";
import { tokenSecret } from "../applications.ts";

/** User in a token of the benchmark. */
export interface TokenUser {
  readonly id: string;
  readonly roles: readonly string[];
}

const secret = new TextEncoder().encode(tokenSecret);

/** Verifies a token with jose, for frameworks without tokens. Returns undefined if it is invalid. */
export async function verifyBearer(authorization: string | null): Promise<TokenUser | undefined> {
  if (authorization?.startsWith("Bearer ") !== true) return undefined;
  try {
    const { payload } = await jwtVerify(authorization.slice(7), secret, { algorithms: ["HS256"] });
    return payload["user"] as TokenUser; // verified above
  } catch {
    return undefined;
  }
}
