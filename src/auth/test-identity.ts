import type { User } from "../register.ts";
import type { Claims } from "./claims.ts";

/** Who a request acts as, without credentials. */
export interface TestIdentity {
  readonly user: User;
  readonly claims: Claims;
  readonly reason?: undefined;
}

/**
 * Not registered, and exported by no entry of the package: no text that a client sends can name it.
 */
const actingUser: unique symbol = Symbol("espalier.actingUser");

type MarkedHeaders = Headers & { [actingUser]?: TestIdentity };

/**
 * Lets a request of this process pass the authentication middleware as somebody: for the test client.
 * The mark is on the object of its headers, which a context hands on as it is.
 */
export function setTestIdentity(request: Request, acting: TestIdentity): void {
  (request.headers as MarkedHeaders)[actingUser] = acting;
}

/** Who a request acts as; undefined for every request that came from outside of this process. */
export function findTestIdentity(headers: Headers): TestIdentity | undefined {
  return (headers as MarkedHeaders)[actingUser];
}
