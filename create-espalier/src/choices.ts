/** Values of `--platform`. */
export const platforms = ["cloudflare", "node", "deno", "bun"] as const;

export type Platform = (typeof platforms)[number];

/** Values of `--features`. */
export const features = ["auth", "queue", "cache", "openapi"] as const;

export type Feature = (typeof features)[number];

/** Values of `--package-manager`. */
export const packageManagers = ["npm", "pnpm", "yarn", "bun", "deno"] as const;

export type PackageManager = (typeof packageManagers)[number];

/** Values used without an option or a prompt. */
export const defaults: {
  readonly folder: string;
  readonly platform: Platform;
  readonly features: readonly Feature[];
} = { folder: "espalier-app", platform: "cloudflare", features: ["openapi"] };

export const platformTitles: Readonly<Record<Platform, string>> = {
  cloudflare: "Cloudflare Workers",
  node: "Node",
  deno: "Deno",
  bun: "Bun",
};

export const featureTitles: Readonly<Record<Feature, string>> = {
  auth: "Authentication: sign-in, tokens, policies",
  queue: "Queue: background jobs",
  cache: "Cache: store slow results",
  openapi: "OpenAPI: generated document and documentation page",
};

/** The choices that determine the generated files. */
export interface Project {
  /** Name of the package. */
  readonly name: string;
  readonly platform: Platform;
  readonly features: ReadonlySet<Feature>;
  readonly packageManager: PackageManager;
  /** Version range or tarball of the dependency `espalier`. */
  readonly espalier: string;
}
