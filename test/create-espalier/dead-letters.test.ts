import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { projectFiles } from "../../create-espalier/src/project-files.ts";
import { combinations } from "./combinations.ts";

interface Wrangler {
  readonly kv_namespaces?: readonly object[];
  readonly queues?: { readonly consumers: readonly { readonly queue: string }[] };
}

const withQueue = combinations.filter(
  ({ project }) => project.platform === "cloudflare" && project.features.has("queue"),
);

test.each(withQueue)("$title stores failed jobs in KV", ({ project }) => {
  const text = projectFiles(project).get("wrangler.toml") ?? "";
  const { kv_namespaces, queues } = parse(text) as Wrangler;
  const consumed = queues?.consumers.some(({ queue }) => queue.endsWith("-jobs-dead"));
  // Without KV a consumer could only discard them.
  expect([consumed, kv_namespaces]).toEqual([true, [{ binding: "KV" }]]);
  expect(text).toContain("queue.retryFailed(id)");
});
