import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../support/bundle.ts";

test("a project is created, installed, checked and served from the packed tarballs", () => {
  const output = execFileSync(
    process.execPath,
    [join(root, "proof/starter/run.ts"), "--sample", "1", "--platform", "node"],
    { cwd: root, encoding: "utf8", stdio: "pipe" },
  );
  expect(output).toContain("starter passed: 1 tried");
}, 180_000);
