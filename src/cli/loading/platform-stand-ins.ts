import nodeModule from "node:module";

/**
 * What `cloudflare:` modules export, by name. They exist in Workers alone; here a class that extends one is
 * only looked at, and nothing of it is run.
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
    'export function connect() { throw new Error("Sockets of Workers are not there in the command line."); }',
  "cloudflare:email": "export class EmailMessage {}",
  "cloudflare:workflows": "export class NonRetryableError extends Error {}",
};

/** The URL of a module that stands for a `cloudflare:` module; one of no names when it is not known. */
export function standInUrl(specifier: string): string {
  const text = moduleTexts[specifier] ?? "export default {};";
  return `data:text/javascript,${encodeURIComponent(text)}`;
}

/**
 * Lets packages that the application imports have them too; Node before 22.15 cannot, and imports of the
 * application's own files are turned by the bundler.
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
