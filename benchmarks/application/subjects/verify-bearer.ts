import { jwtVerify } from "jose";
import { tokenSecret } from "../applications.ts";

/** The user inside a token of the benchmark. */
export interface TokenUser {
  readonly id: string;
  readonly roles: readonly string[];
}

const secret = new TextEncoder().encode(tokenSecret);

/** What users of a framework without tokens write: jose. Undefined for anything but a valid one. */
export async function verifyBearer(authorization: string | null): Promise<TokenUser | undefined> {
  if (authorization?.startsWith("Bearer ") !== true) return undefined;
  try {
    const { payload } = await jwtVerify(authorization.slice(7), secret, { algorithms: ["HS256"] });
    return payload["user"] as TokenUser; // signed by us
  } catch {
    return undefined;
  }
}
