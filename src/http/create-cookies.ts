import { Cookies } from "./cookies.ts";
import { signedValue, verifiedValue } from "./signed-cookie.ts";

/**
 * Provides `ctx.cookies`.
 *
 * @example new Application({ cookies }); // both from `espalier/core`
 */
export function createCookies(requestHeaders: Headers): Cookies {
  return new Cookies(requestHeaders, () => ({ signedValue, verifiedValue }));
}
