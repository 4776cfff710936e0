// Lists the committed results of all proofs and benchmarks, with those whose sources have changed since.
// With --current the exit code is 1 if there are any, as before a release.
import { parseArgs } from "node:util";
import { benchmarks } from "../../benchmarks/benchmarks.ts";
import { proofs } from "../../proof/proofs.ts";
import { findOutdated, readResults, resultFolders } from "./result-files.ts";
import {
  describeBuildOf,
  describeDuration,
  describeInputs,
  describeVerdict,
} from "./result-texts.ts";
import { formatTable } from "./table.ts";
import { reportUsage, UsageError } from "./usage.ts";

await reportUsage(() => {
  const { current } = readArguments();
  const files = resultFolders.flatMap((folder) => readResults(folder));
  const outdated = findOutdated(files, [...proofs, ...benchmarks]);
  const titles = ["file", "inputs", "duration", "date", "build", "result", "sources"];
  const lines = files.map((one) => [
    one.file,
    describeInputs(one.result),
    describeDuration(one.result.durationSeconds),
    one.result.date.slice(0, 10),
    describeBuildOf(one.result),
    describeVerdict(one.result),
    outdated.includes(one) ? "changed since" : "as they are",
  ]);
  console.log(formatTable([titles, ...lines]));
  console.log(`\n${outdated.length} of ${files.length} results are older than their sources`);
  if (current && outdated.length > 0) process.exitCode = 1;
});

function readArguments(): { readonly current: boolean } {
  try {
    const { values } = parseArgs({ options: { current: { type: "boolean", default: false } } });
    return values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
