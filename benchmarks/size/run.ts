import { readOptions, reportUsage } from "../../scripts/runner/usage.ts";
import { installPeers } from "../support/install-peers.ts";
import { ReportBuilder } from "../support/report.ts";
import { writeBudget } from "./budget.ts";
import { checkBundle } from "./check-bundle.ts";
import { coreHelloName, entries, everythingName } from "./entries.ts";
import { bundleEntry, type Weight, weigh } from "./weigh.ts";

/** Measures the size of a Worker: hello, each feature, all features, and the peers' hello. */
const values = await reportUsage(() => readOptions(process.argv.slice(2), { budget: "boolean" }));
installPeers(true);
const report = new ReportBuilder("size", values.quick);
const weights: Weight[] = [];

for (const entry of entries) {
  const bundle = await bundleEntry(entry);
  // A full run executes every bundle; a quick one the smallest and the largest of Espalier.
  if (!values.quick || [coreHelloName, everythingName].includes(entry.name)) {
    await checkBundle(entry.name, bundle);
  }
  const weight = await weigh(entry, bundle);
  const { name, totalGzipBytes, ...more } = weight;
  weights.push(weight);
  report.add([
    {
      case: "size",
      runtime: "workerd",
      subject: name,
      value: totalGzipBytes,
      unit: "B gzip",
      ratio: undefined,
      low: totalGzipBytes,
      high: totalGzipBytes,
      more: { ...more },
    },
  ]);
}
report.finish(values.json);
if (values.budget) writeBudget(weights);
