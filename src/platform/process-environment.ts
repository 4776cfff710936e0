/** Environment variables by name. */
export type ProcessEnvironment = Readonly<Record<string, unknown>>;

/** The part of Deno that is used here. */
interface DenoEnvironment {
  readonly env: { get(name: string): string | undefined; toObject(): Record<string, string> };
  readonly permissions?: {
    querySync?(descriptor: { name: "env"; variable?: string }): { state: string };
  };
}

/**
 * Returns the current environment of the process: `process.env` on Node, Bun and compatible runtimes,
 * `Deno.env` as far as permissions allow, and an empty object elsewhere.
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
  // Queried first, because reading without permission would block on a prompt.
  const granted = (variable?: string): boolean => {
    const descriptor = variable === undefined ? {} : { variable };
    return deno.permissions?.querySync?.({ name: "env", ...descriptor }).state === "granted";
  };
  if (granted()) return deno.env.toObject();
  // `--allow-env=A,B` permits single variables, which can only be queried one by one.
  const permitted: ProcessEnvironment = Object.create(null);
  return new Proxy(permitted, {
    get: (_target, name) =>
      typeof name === "string" && name !== "" && granted(name) ? deno.env.get(name) : undefined,
  });
}
