import type { Aspect } from "./judge.ts";
import type { PlatformName } from "./platforms.ts";

/** Cases with a different response on a platform, with the reason. */
export interface KnownDifference {
  readonly platforms: readonly PlatformName[];
  readonly reason: string;
  /** Parts that may differ; the rest must be equal. */
  readonly aspects: readonly Aspect[];
  readonly titles: readonly string[];
  /** True if the framework could avoid the difference; false if the platform causes it. */
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
 * Number of differences on all platforms, caused by platforms and by the framework. May only decrease,
 * which a test checks.
 */
export const knownCounts: { readonly ofPlatforms: number; readonly ours: number } = {
  ofPlatforms: 22,
  ours: 0,
};

/** Unlisted differences fail the proof, and so do entries that no longer differ. */
export const knownDifferences: readonly KnownDifference[] = [
  {
    platforms: ["node", "bun"],
    reason: "the server responds with 431 itself if request line and headers exceed 16 KiB",
    isOurs: false,
    aspects: ["status", "headers", "body"],
    titles: ["a path over the limit"],
  },
  {
    platforms: ["deno"],
    reason: "Deno sends a 205 without Content-Length, and the client waits",
    isOurs: false,
    aspects: ["status", "headers", "body"],
    titles: ["answers text-205"],
  },
  {
    platforms: ["bun"],
    reason: "Bun adds a charset to text types, or writes it in lower case",
    isOurs: false,
    aspects: ["headers"],
    titles: ["answers file-blob", "answers own-headers"],
  },
  {
    platforms: ["chromium"],
    reason: "neither pages nor workers can send TRACE (Fetch, forbidden methods)",
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
      "cookies set as raw headers",
      "a signed cookie is set",
      "a signed cookie comes back",
      ...sessions,
    ],
  },
];

/** Returns the entry of a case on a platform; undefined if it must not differ. */
export function findKnownDifference(
  platform: PlatformName,
  title: string,
): KnownDifference | undefined {
  return knownDifferences.find(
    ({ platforms, titles }) => platforms.includes(platform) && titles.includes(title),
  );
}
