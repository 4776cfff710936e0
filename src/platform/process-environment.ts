/**
 * The environment variables of the process: `process.env` on Node and Bun, `Deno.env` on Deno when it is
 * permitted, and nothing elsewhere. Read anew at each call.
 */
export function processEnvironment(): Readonly<Record<string, string | undefined>> {
  const { Deno: deno, process } = globalThis as {
    Deno?: { env?: { toObject(): Record<string, string> } };
    process?: { env?: Record<string, string | undefined> };
  };
  if (deno?.env !== undefined) {
    try {
      return deno.env.toObject();
    } catch {
      // Without --allow-env there is no environment, which is what the permission means.
      return {};
    }
  }
  return process?.env ?? {};
}
