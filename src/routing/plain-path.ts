import { badOption, type OptionOwner } from "../util/options.ts";

/**
 * Checks an option that is the path of an endpoint.
 *
 * @throws EspalierError with the owner's code for anything else
 */
export function checkPlainPath(owner: OptionOwner, option: string, value: unknown): void {
  if (typeof value === "string" && /^\/[^:*()?{}\\]*$/.test(value)) return;
  throw badOption(owner, option, value, 'a path without parameters, such as "/docs"');
}
