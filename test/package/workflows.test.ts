import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../support/bundle.ts";

const folder = join(root, ".github/workflows");
const workflows = readdirSync(folder).map(
  (name) => [name, readFileSync(join(folder, name), "utf8")] as const,
);

/** The lines of each job of a workflow, without comments, by its name. */
function jobsOf(text: string): ReadonlyMap<string, string> {
  const [, jobs = ""] = text.split(/^jobs:$/m);
  const lines = jobs.split("\n").filter((line) => !/^\s*#/.test(line));
  const parts = lines.join("\n").split(/^ {2}(?=[\w-]+:$)/m);
  return new Map(parts.slice(1).map((part) => [part.slice(0, part.indexOf(":")), part]));
}

describe.each(workflows)("%s", (_name, text) => {
  test("pins every action to a commit, and names its version", () => {
    const used = text.split("\n").filter((line) => /^\s*(- )?uses:/.test(line));
    expect(used.length).toBeGreaterThan(0);
    const pinned = /uses: [\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
    expect(used.filter((line) => !pinned.test(line))).toEqual([]);
  });

  test("gives the workflow as a whole no permission to write", () => {
    const [head = ""] = text.split(/^jobs:$/m);
    expect(head).toMatch(/^permissions:\n {2}contents: read\n/m);
    expect(head).not.toContain("write");
  });

  test("runs nothing beside a permission to write that it has not built before", () => {
    for (const [job, lines] of jobsOf(text)) {
      if (!lines.includes(": write")) continue;
      expect(lines, job).not.toContain("actions/checkout");
      expect(lines, job).toContain("actions/download-artifact");
      const commands = [...lines.matchAll(/\brun: (.*)$/gm)].map(([, command]) => command);
      const publishes = /^(npm publish --ignore-scripts|deno publish --no-check) [^;&|$`]*$/;
      expect(
        commands.filter((command) => !publishes.test(command ?? "")),
        job,
      ).toEqual([]);
    }
  });
});

test("a release publishes both packages to npm, and one to JSR", () => {
  const release = workflows.find(([name]) => name === "release.yml")?.[1] ?? "";
  const jobs = jobsOf(release);
  expect([...jobs.keys()]).toEqual(["build", "publish-npm", "publish-jsr"]);
  expect(jobs.get("build")).not.toContain("id-token");
  expect(jobs.get("build")).toContain("bash .ci/run");
  expect(jobs.get("publish-npm")?.match(/npm publish .*$/gm)).toHaveLength(2);
  for (const name of ["publish-npm", "publish-jsr"]) {
    expect(jobs.get(name)).toContain("needs: build");
    expect(jobs.get(name)).toContain("environment: release");
  }
});
