/** Where an application can run, as `--platform` names it. */
export const platforms = ["cloudflare", "node", "deno", "bun"] as const;

export type Platform = (typeof platforms)[number];

/** What an application can have from the start, as `--features` names it. */
export const features = ["auth", "queue", "cache", "openapi"] as const;

export type Feature = (typeof features)[number];

/** What can install the dependencies, as `--package-manager` names it. */
export const packageManagers = ["npm", "pnpm", "yarn", "bun", "deno"] as const;

export type PackageManager = (typeof packageManagers)[number];

/** What nobody was asked, and nobody said. */
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
  queue: "Queue: work after the response",
  cache: "Cache: remember what is slow to make",
  openapi: "OpenAPI: a description, and a page that shows it",
};

/** Everything that decides which files are written, and what is in them. */
export interface Project {
  /** Name of the package. */
  readonly name: string;
  readonly platform: Platform;
  readonly features: ReadonlySet<Feature>;
  readonly packageManager: PackageManager;
  /** Version range or tarball of the dependency `espalier`. */
  readonly espalier: string;
}
