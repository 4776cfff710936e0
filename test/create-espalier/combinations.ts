import {
  type Feature,
  features,
  type Platform,
  type Project,
  platforms,
} from "../../create-espalier/src/choices.ts";

/** All subsets of the features, the empty one first. */
const featureSets: readonly (readonly Feature[])[] = Array.from(
  { length: 2 ** features.length },
  (_, bits) => features.filter((_feature, index) => (bits >> index) % 2 === 1),
);

/** A project and its title, such as `node-auth-cache`. */
export interface Combination {
  readonly title: string;
  readonly project: Project;
}

function combination(platform: Platform, chosen: readonly Feature[]): Combination {
  const title = [platform, ...(chosen.length === 0 ? ["plain"] : chosen)].join("-");
  return {
    title,
    project: {
      name: title,
      platform,
      features: new Set(chosen),
      packageManager: "npm",
      espalier: "^0.1.0",
    },
  };
}

/** All 64. */
export const combinations: readonly Combination[] = platforms.flatMap((platform) =>
  featureSets.map((chosen) => combination(platform, chosen)),
);
