import type { Answer, ParityCase } from "./case.ts";
import { comparable } from "./comparable.ts";
import type { Platform } from "./platforms.ts";

/** Sends the requests of a case sequentially; a missing response has status 0. */
export async function askCase(
  { base, send }: Pick<Platform, "base" | "send">,
  { calls }: ParityCase,
): Promise<readonly Answer[]> {
  const cookies = new Map<string, string>();
  const answers: Answer[] = [];
  for (const call of calls) {
    const sent = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const cookie = call.withCookies === true && sent !== "" ? { cookie: sent } : {};
    try {
      const raw = await send({ ...call, headers: { ...call.headers, ...cookie } });
      keepCookies(cookies, raw.headers);
      answers.push(comparable(raw, base, call.method));
    } catch (error) {
      answers.push({ status: 0, headers: [], body: `no answer: ${String(error).split("\n")[0]}` });
    }
  }
  return answers;
}

function keepCookies(
  cookies: Map<string, string>,
  headers: readonly (readonly [string, string])[],
): void {
  for (const [name, value] of headers) {
    if (name.toLowerCase() !== "set-cookie") continue;
    const [pair = ""] = value.split(";");
    const equals = pair.indexOf("=");
    const isGone = /;\s*max-age=0/i.test(value);
    if (isGone) cookies.delete(pair.slice(0, equals));
    else cookies.set(pair.slice(0, equals), pair.slice(equals + 1));
  }
}
