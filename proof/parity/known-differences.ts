import type { Aspect } from "./judge.ts";
import type { PlatformName } from "./platforms.ts";

/** Cases that a platform answers otherwise than was recorded, and why. */
export interface KnownDifference {
  readonly platforms: readonly PlatformName[];
  readonly reason: string;
  /** What may differ; the rest must be the same. */
  readonly aspects: readonly Aspect[];
  readonly titles: readonly string[];
  /** True for what the framework has a part in and could do better; false for the platform's own. */
  readonly isOurs: boolean;
}

const sessions = ["cookie", "store"].flatMap((kind) => [
  `visits with a session in the ${kind}`,
  `what a session in the ${kind} holds`,
  `a regenerated session in the ${kind}`,
  `a destroyed session in the ${kind}`,
  `a forged session in the ${kind}`,
]);

/**
 * How many there are, on all platforms: of the platforms' own, and of ours. They may only shrink; a test
 * counts.
 */
export const knownCounts: { readonly ofPlatforms: number; readonly ours: number } = {
  ofPlatforms: 22,
  ours: 0,
};

/** A difference that is not here fails, and so does an entry that is none any more. */
export const knownDifferences: readonly KnownDifference[] = [
  {
    platforms: ["node", "bun"],
    reason: "the server answers 431 itself when request line and headers are over 16 KiB",
    isOurs: false,
    aspects: ["status", "headers", "body"],
    titles: ["a path over the limit"],
  },
  {
    platforms: ["deno"],
    reason: "Deno sends a 205 without saying that nothing follows, and the client waits",
    isOurs: false,
    aspects: ["status", "headers", "body"],
    titles: ["answers text-205"],
  },
  {
    platforms: ["bun"],
    reason: "Bun adds a charset to types of text, or writes it in small letters",
    isOurs: false,
    aspects: ["headers"],
    titles: ["answers file-blob", "answers own-headers"],
  },
  {
    platforms: ["chromium"],
    reason: "no page and no worker can make a request with TRACE (Fetch, forbidden methods)",
    isOurs: false,
    aspects: ["status", "headers", "body"],
    titles: ["TRACE is never routed"],
  },
  {
    platforms: ["chromium"],
    reason:
      "a browser drops Set-Cookie from a worker's responses (Fetch, forbidden response headers)",
    isOurs: false,
    aspects: ["headers", "body"],
    titles: [
      "cookies that are set",
      "a cookie that is deleted",
      "a cookie before an error",
      "cookies of a handler's own",
      "a signed cookie is set",
      "a signed cookie comes back",
      ...sessions,
    ],
  },
];

/** The entry for a case on a platform; undefined where it must be the same. */
export function findKnownDifference(
  platform: PlatformName,
  title: string,
): KnownDifference | undefined {
  return knownDifferences.find(
    ({ platforms, titles }) => platforms.includes(platform) && titles.includes(title),
  );
}
