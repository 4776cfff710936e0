// Runs all tests and prints the machine-readable line `N passed, N failed`.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "espalier-test-"));
const report = join(folder, "report.json");
const { status } = spawnSync(
  process.execPath,
  [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...process.argv.slice(2),
  ],
  { stdio: "inherit", env: { ...process.env, WRANGLER_SEND_METRICS: "false" } },
);

try {
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(
    readFileSync(report, "utf8"),
  );
  // A file that fails before its first test has no failed test, but must count as a failure.
  const brokenFiles = testResults.filter(
    (file) =>
      file.status === "failed" && file.assertionResults.every((test) => test.status !== "failed"),
  );
  const failed = numFailedTests + brokenFiles.length;
  console.log(`${numPassedTests} passed, ${failed} failed, ${numPendingTests} skipped`);
  process.exitCode = failed > 0 || status !== 0 ? 1 : 0;
} catch {
  console.error("The test run did not write a report.");
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
