// Measures the cost of 1,000 routes for the type checker in several forms, each compared with one route. Fails if a
// route instantiates too many types, or if a form takes too many times as long as the plain one. The short form has
// few routes and one round, and judges only the number of types, which does not depend on the machine.
import { versionOf } from "../../scripts/runner/machine.ts";
import { readCount } from "../../scripts/runner/usage.ts";
import { runProof } from "../support/run-proof.ts";
import { check } from "./check.ts";
import { forms, plainForm } from "./forms.ts";

await runProof("type-checking", { routes: "string" }, async (proof, options) => {
  const routes = readCount("--routes", options.routes, proof.isQuick ? 100 : 1000);
  const rounds = proof.isQuick ? 1 : 3;
  proof.addVersion("typescript", versionOf("node_modules/typescript"));
  let plainSeconds = Number.NaN;
  for (const form of forms) {
    const one = check(form, 1, rounds);
    const all = check(form, routes, rounds);
    if (form === plainForm) plainSeconds = all.seconds;
    const typesPerRoute = Math.round((all.instantiations - one.instantiations) / (routes - 1));
    const ratio = Number((all.seconds / plainSeconds).toFixed(2));
    const faults: string[] = [];
    if (typesPerRoute > form.limitTypesPerRoute) {
      faults.push(
        `${typesPerRoute} types for each route, at most ${form.limitTypesPerRoute} expected`,
      );
    }
    if (!proof.isQuick && form.limitRatio !== undefined && !(ratio <= form.limitRatio)) {
      faults.push(
        `${ratio} times the time of "${plainForm.name}", at most ${form.limitRatio} expected`,
      );
    }
    proof.add({
      case: form.name,
      runtime: "node",
      tried: routes,
      value: typesPerRoute,
      unit: "types per route",
      more: {
        secondsOfOneRoute: one.seconds,
        secondsOfAllRoutes: all.seconds,
        instantiationsOfAllRoutes: all.instantiations,
        ...(form.limitRatio === undefined ? {} : { timesThePlainForm: ratio }),
      },
      faults,
    });
  }
});
