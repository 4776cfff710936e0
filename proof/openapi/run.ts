// Lets Schemathesis send an application everything that its OpenAPI document allows, and much that it does
// not: no response may contradict the document, and none may be a server error. By default three applications
// are tested: the orchard of the tests, which has a route for everything that a document can describe, and the
// bookshelf and RealWorld of the examples, with the documents that they serve.
//
// Schemathesis is installed from PyPI into node_modules/.cache.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readChoices, readCount } from "../../scripts/runner/usage.ts";
import { type Proof, runProof } from "../support/run-proof.ts";
import { findSchemathesis, runSchemathesis, schemathesisVersion } from "./schemathesis.ts";
import { startApplication } from "./start-application.ts";

/** A long form that generates fewer examples than this has tested nothing. */
const leastExamples = 2_000;

await runProof("openapi", { app: "string", seed: "string" }, async (proof, options) => {
  const seed = readCount("--seed", options.seed, 1);
  const names = readChoices("--app", options.app, ["orchard", "bookshelf", "realworld"]);
  const program = findSchemathesis() ?? proof.skip("python3 is not installed");
  proof.addVersion("schemathesis", schemathesisVersion);
  let examples = 0;
  for (const name of names) examples += await examine(proof, { name, seed, program });
  if (!proof.isQuick && examples < leastExamples) {
    const faults = [`only ${examples} examples, expected at least ${leastExamples}`];
    proof.add({ case: "number of examples", runtime: "node", tried: 0, faults });
  }
});

interface Examination {
  readonly name: string;
  readonly seed: number;
  readonly program: string;
}

/** Tests one application, and returns the number of examples. */
async function examine(proof: Proof, { name, seed, program }: Examination): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "espalier-openapi-"));
  const application = await startApplication(name, folder);
  try {
    const maxExamples = proof.isQuick ? 3 : 150;
    const { code, output } = await runSchemathesis(program, {
      folder,
      application,
      seed,
      maxExamples,
    });
    console.log(output);
    const count = (expression: RegExp): number =>
      Number((expression.exec(output)?.[1] ?? "0").replaceAll(",", ""));
    const examples = count(/([\d,]+) generated/);
    const failures = count(/([\d,]+) unique failure/);
    const faults = code === 0 ? [] : [`Schemathesis exited with code ${code}`];
    const more = { uniqueFailures: failures };
    proof.add({ case: name, runtime: "node", tried: examples, unit: "examples", more, faults });
    return examples;
  } finally {
    application.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
