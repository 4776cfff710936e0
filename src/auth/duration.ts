import { badOption } from "../util/options.ts";

const secondsOf: ReadonlyMap<string, number> = new Map([
  ["s", 1],
  ["m", 60],
  ["h", 3_600],
  ["d", 86_400],
  ["w", 604_800],
]);

const pattern =
  /^(-?\d+(?:\.\d+)?) ?(s|sec|secs|seconds?|m|min|mins|minutes?|h|hours?|d|days?|w|weeks?)$/i;

const owner = { code: "ERR_AUTH_BAD_OPTION", name: "Auth" } as const;
const expected = 'a number of seconds or a string with a unit, such as "15m", "1h" or "7d"';

/**
 * Parses a duration into seconds. A number is seconds; a string has a unit: `"90s"`, `"15m"`, `"1h"`,
 * `"7 days"`, `"2w"`.
 *
 * @throws EspalierError `ERR_AUTH_BAD_OPTION`
 */
export function parseSeconds(duration: string | number, option: string): number {
  const seconds = typeof duration === "number" ? duration : secondsOfText(duration);
  if (Number.isFinite(seconds)) return seconds;
  throw badOption(owner, option, duration, expected);
}

function secondsOfText(text: unknown): number {
  const [, amount, unit = ""] = pattern.exec(typeof text === "string" ? text : "") ?? [];
  return Number(amount) * (secondsOf.get(unit.slice(0, 1).toLowerCase()) ?? Number.NaN);
}
