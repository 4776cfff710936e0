import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Report } from "../../benchmarks/support/row.ts";

const run = promisify(execFile);
const folder = fileURLToPath(new URL("../../benchmarks/", import.meta.url));

/** Runs a benchmark with `--quick` and reads its result. @throws its output if it fails */
export async function runBenchmark(script: string, flags: readonly string[]): Promise<Report> {
  const temporary = mkdtempSync(join(tmpdir(), "espalier-benchmark-test-"));
  const file = join(temporary, "report.json");
  try {
    await run(process.execPath, [join(folder, script), "--quick", "--json", file, ...flags]);
    return JSON.parse(readFileSync(file, "utf8")) as Report; // written by the benchmark
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
