import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { root } from "../support/bundle.ts";

test("a test of an application runs unchanged inside workerd", async () => {
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const config = join(root, "test/testing/workerd/vitest.config.mjs");
  const run = await promisify(execFile)(
    process.execPath,
    [vitest, "run", "--config", config],
    // Without the environment of this test run.
    { cwd: root, env: { PATH: process.env["PATH"], HOME: process.env["HOME"], NO_COLOR: "1" } },
  );
  expect(run.stdout).toMatch(/Tests +3 passed \(3\)/);
}, 60_000);
