// Runs a benchmark by name: npm run bench -- routing --quick
import { runByName } from "../scripts/runner/run-by-name.ts";
import { benchmarks, tools } from "./benchmarks.ts";

await runByName(
  {
    script: "bench",
    noun: "benchmark",
    entries: benchmarks,
    tools,
    page: "benchmarks/README.md",
    resultFolder: "benchmarks/results",
  },
  process.argv.slice(2),
);
