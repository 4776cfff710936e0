import { Cookies } from "./cookies.ts";

/** Provides `ctx.cookies`; the code of signed cookies is loaded by the first of them. */
export function createLazyCookies(requestHeaders: Headers): Cookies {
  return new Cookies(requestHeaders, () => import("./signed-cookie.ts"));
}
