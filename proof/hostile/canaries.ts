/** Secrets of the application, which no response may contain. */
export const canaries = {
  thrown: "canary-thrown-71c2 at /srv/canary/app.ts",
  session: "canary-session-5f0e9d8c7b6a5f4e3d2c1b0a",
  token: "canary-token-0a1b2c3d4e5f60718293a4b5c6d7",
  service: "canary-service-3b1f",
  config: "canary-config-9a7d",
} as const;

const stackLine = /\n\s*at \S.*[:(]\d+:\d+\)?/;
const ownPaths = /node:internal|espalier-runtime-|\/(?:dist|src)\/[\w/-]+\.(?:js|ts)/;

/** Returns what a response leaks: a secret, a stack trace or a path of the server; undefined if nothing. */
export function findLeak(text: string): string | undefined {
  for (const canary of Object.values(canaries)) {
    if (text.includes(canary.slice(0, 14))) return `the secret ${canary.slice(0, 14)}`;
  }
  return stackLine.exec(text)?.[0] ?? ownPaths.exec(text)?.[0];
}
