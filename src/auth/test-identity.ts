import type { User } from "../register.ts";
import type { Claims } from "./claims.ts";

/** Test-only identity attached to a request, in place of credentials (see `TestClient.actingAs`). */
export interface TestIdentity {
  readonly user: User;
  readonly claims: Claims;
  readonly reason?: undefined;
}

/**
 * Module-private Symbol, so it cannot be forged over the network.
 */
const actingUser: unique symbol = Symbol("espalier.actingUser");

type MarkedHeaders = Headers & { [actingUser]?: TestIdentity };

/**
 * Attaches an identity to a request of the test client, which the authentication middleware accepts.
 * The marker is a property of the Headers object, which contexts pass on unchanged.
 */
export function setTestIdentity(request: Request, acting: TestIdentity): void {
  (request.headers as MarkedHeaders)[actingUser] = acting;
}

/** Returns a request's test identity; undefined for every request from outside this process. */
export function findTestIdentity(headers: Headers): TestIdentity | undefined {
  return (headers as MarkedHeaders)[actingUser];
}
