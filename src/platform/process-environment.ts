/** Variables by name. */
export type ProcessEnvironment = Readonly<Record<string, unknown>>;

/** The part of Deno that is used here. */
interface DenoEnvironment {
  readonly env: { get(name: string): string | undefined; toObject(): Record<string, string> };
  readonly permissions?: {
    querySync?(descriptor: { name: "env"; variable?: string }): { state: string };
  };
}

/**
 * The environment of the process, read when this is called: `process.env` on Node, Bun and wherever
 * else there is one, `Deno.env` under Deno as far as the permissions reach, and nothing elsewhere.
 */
export function readProcessEnvironment(): ProcessEnvironment {
  const { Deno: deno, process } = globalThis as {
    Deno?: DenoEnvironment;
    process?: { env?: Record<string, string | undefined> };
  };
  if (deno?.env !== undefined) return readDenoEnvironment(deno);
  return process?.env ?? {};
}

function readDenoEnvironment(deno: DenoEnvironment): ProcessEnvironment {
  // Asked first, because reading without permission would stop the program with a question.
  const granted = (variable?: string): boolean => {
    const descriptor = variable === undefined ? {} : { variable };
    return deno.permissions?.querySync?.({ name: "env", ...descriptor }).state === "granted";
  };
  if (granted()) return deno.env.toObject();
  // `--allow-env=A,B` permits single variables, which can only be asked for one by one.
  const permitted: ProcessEnvironment = Object.create(null);
  return new Proxy(permitted, {
    get: (_target, name) =>
      typeof name === "string" && name !== "" && granted(name) ? deno.env.get(name) : undefined,
  });
}
