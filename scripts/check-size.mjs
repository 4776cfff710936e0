// Compares the bundles of Espalier's entries with benchmarks/size/budget.json. Requires `npm run build`, but
// not the peers of the benchmarks.
import { overBudget, readBudget } from "../benchmarks/size/budget.ts";
import { entries } from "../benchmarks/size/entries.ts";
import { bundleEntry, weigh } from "../benchmarks/size/weigh.ts";

const budget = readBudget();
const own = entries.filter(({ group }) => group !== "peer");
const problems = [];
for (const entry of own) {
  problems.push(...overBudget(await weigh(entry, await bundleEntry(entry)), budget));
}
for (const name of Object.keys(budget)) {
  if (!own.some((entry) => entry.name === name))
    problems.push(`The budget has an unknown entry "${name}".`);
}

for (const problem of problems) console.error(`Size: ${problem}`);
if (problems.length > 0) process.exitCode = 1;
else console.log(`Size: ${own.length} bundles within their budgets`);
