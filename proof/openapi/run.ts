// Lets Schemathesis send an application everything that its OpenAPI document allows, and much that it does
// not: no response may contradict the document, and none may be a server error. By default three applications
// are tested: the orchard of the tests, which has a route for everything that a document can describe, and the
// bookshelf and RealWorld of the examples, with the documents that they serve.
//
// The documents of the examples, with that of the helpdesk, are also checked by two linters. Four generators make
// clients of the others, which must compile and call every operation of the running application.
//
// The tools are installed into node_modules/.cache: Schemathesis from PyPI, the others with npm. `--only` chooses
// among them.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readChoices, readCount } from "../../scripts/runner/usage.ts";
import { type Proof, runProof } from "../support/run-proof.ts";
import { generators, writeProgram } from "./call-operations.ts";
import { operationsOf } from "./operations.ts";
import { runClient } from "./run-client.ts";
import { findSchemathesis, runSchemathesis, schemathesisVersion } from "./schemathesis.ts";
import { startApplication } from "./start-application.ts";
import { checkDocument, compileClients, generateClients, toolVersions } from "./tools.ts";

/** An example with a stream of events that does not end: clients would wait for it. Only linters check it. */
const endless = "helpdesk";

/** A long form that generates fewer examples than this has tested nothing. */
const leastExamples = 2_000;

const types = { app: "string", seed: "string", only: "string" } as const;

await runProof("openapi", types, async (proof, options) => {
  const seed = readCount("--seed", options.seed, 1);
  const names = readChoices("--app", options.app, [
    "orchard",
    "bookshelf",
    "realworld",
    "helpdesk",
  ]);
  const parts = readChoices("--only", options.only, ["schemathesis", "tools"]);
  if (parts.includes("tools")) {
    for (const [name, version] of Object.entries(toolVersions)) proof.addVersion(name, version);
    for (const name of names) await checkWithTools(proof, name);
  }
  if (!parts.includes("schemathesis")) return;
  const program = findSchemathesis() ?? proof.skip("python3 is not installed");
  proof.addVersion("schemathesis", schemathesisVersion);
  let examples = 0;
  for (const name of names) {
    if (name !== endless) examples += await examine(proof, { name, seed, program });
  }
  if (!proof.isQuick && examples < leastExamples) {
    const faults = [`only ${examples} examples, expected at least ${leastExamples}`];
    proof.add({ case: "number of examples", runtime: "node", tried: 0, faults });
  }
});

/** Checks the document of an example; that of the orchard is made to be difficult, not to please linters. */
async function checkWithTools(proof: Proof, name: string): Promise<void> {
  if (name === "orchard") return;
  const folder = mkdtempSync(join(tmpdir(), "espalier-openapi-"));
  const application = await startApplication(name, folder);
  try {
    const response = await fetch(`${application.url}openapi.json`);
    const document = await response.text();
    for (const check of checkDocument(name, document, folder)) {
      const { name: title, faults } = check;
      proof.add({ case: title, runtime: "node", tried: 1, unit: "documents", faults });
    }
    if (name !== endless) await checkClients(proof, { name, document, folder });
  } finally {
    application.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface ExampleDocument {
  readonly name: string;
  readonly document: string;
  readonly folder: string;
}

/** Generates clients, type-checks them with a call of every operation, and runs the calls. */
async function checkClients(
  proof: Proof,
  { name, document, folder }: ExampleDocument,
): Promise<void> {
  const file = join(folder, "openapi.json");
  writeFileSync(file, document);
  const { home, faults } = generateClients(file);
  const operations = operationsOf(document);
  if (faults.length === 0) {
    for (const generator of generators) writeProgram(home, generator, operations);
  }
  const compiled = faults.length === 0 ? compileClients(home) : faults;
  const title = `${name}: generated clients`;
  proof.add({ case: title, runtime: "node", tried: 1, unit: "documents", faults: compiled });
  if (faults.length > 0) return;
  for (const generator of generators) {
    const run = await runClient(name, generator, operations, { home, folder });
    proof.add({
      case: `${name}: calls of ${generator}`,
      runtime: "node",
      tried: operations.length,
      unit: "operations",
      more: { knownLimits: run.limits.length },
      faults: run.faults,
    });
  }
}

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
