import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { root } from "../support/bundle.ts";

it("the tables of docs/performance.md are those of the committed results", () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    ["benchmarks/write-tables.ts", "--check"],
    { cwd: root, encoding: "utf8" },
  );
  expect([status, stderr]).toEqual([0, ""]);
});
