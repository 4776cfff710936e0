import nodeModule from "node:module";

/**
 * Stubs of the exports of `cloudflare:` modules, which exist only in Workers. The command line only inspects
 * classes that extend them, and never runs them.
 */
const moduleTexts: Readonly<Record<string, string>> = {
  "cloudflare:workers": [
    ...["DurableObject", "WorkerEntrypoint", "WorkflowEntrypoint", "RpcTarget", "RpcStub"].map(
      (name) => `export class ${name} {}`,
    ),
    "export const env = process.env;",
    "export const exports = {};",
    "export function waitUntil() {}",
    "export function withEnv(env, run) { return run(); }",
  ].join("\n"),
  "cloudflare:sockets":
    'export function connect() { throw new Error("Sockets of Workers are not available in the command line."); }',
  "cloudflare:email": "export class EmailMessage {}",
  "cloudflare:workflows": "export class NonRetryableError extends Error {}",
};

/** Returns the URL of the stub of a `cloudflare:` module; one without named exports if unknown. */
export function standInUrl(specifier: string): string {
  const text = moduleTexts[specifier] ?? "export default {};";
  return `data:text/javascript,${encodeURIComponent(text)}`;
}

/**
 * Makes the stubs available to imported packages, which Node before 22.15 does not support. Imports in the
 * application's own files are redirected by the bundler.
 */
export function registerStandIns(): void {
  if (typeof nodeModule.registerHooks !== "function") return;
  nodeModule.registerHooks({
    resolve(specifier, context, next) {
      if (!specifier.startsWith("cloudflare:")) return next(specifier, context);
      return { url: standInUrl(specifier), format: "module", shortCircuit: true };
    },
  });
}
