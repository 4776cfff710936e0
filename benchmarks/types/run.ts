// Measures what the type checker does for an application whose routes are typed, and for a client whose types are
// inferred from them. Subjects take turns, so that other load on the machine concerns all of them.
import type { TypeCheckCost } from "../../scripts/runner/type-check.ts";
import { readOptions, reportUsage } from "../../scripts/runner/usage.ts";
import { installPeers } from "../support/install-peers.ts";
import { ReportBuilder } from "../support/report.ts";
import type { Row } from "../support/row.ts";
import { check } from "./check.ts";
import { type Subject, subjects } from "./programs.ts";

const values = await reportUsage(() => readOptions(process.argv.slice(2), {}));
installPeers(true);
const report = new ReportBuilder("types", values.quick);
const routes = values.quick ? 20 : 300;
const rounds = values.quick ? 1 : 5;

const costs = new Map<Subject, TypeCheckCost[]>(subjects.map((subject) => [subject, []]));
for (let round = 0; round < rounds; round++) {
  for (const [subject, found] of costs) found.push(check(subject, routes));
}
const of = `of ${routes} routes and a client`;
for (const [subject, found] of costs) {
  report.add([
    row(`check time ${of}`, subject, "s", found, (cost) => cost.checkSeconds),
    row(`instantiations ${of}`, subject, "thousands", found, (cost) => cost.instantiations / 1e3),
    row(`memory ${of}`, subject, "MiB", found, (cost) => cost.memoryKib / 1024),
  ]);
}
report.finish(values.json);

/** The least of the rounds counts: other processes only ever add to it. */
function row(
  title: string,
  { name }: Subject,
  unit: string,
  found: readonly TypeCheckCost[],
  read: (cost: TypeCheckCost) => number,
): Row {
  const numbers = found.map(read);
  const least = Math.min(...numbers);
  return {
    case: title,
    runtime: "node",
    subject: name,
    value: least,
    unit,
    ratio: undefined,
    low: least,
    high: Math.max(...numbers),
    more: {},
  };
}
