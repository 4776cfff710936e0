// Runs RealWorld's API collection with newman against its example.
//
// The collection is api/Conduit.postman_collection.json of the repository gothinkster/realworld: by default
// that of a checkout in node_modules/.cache/realworld. newman is installed from npm into node_modules/.cache
// unless --newman names a folder where it is installed.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { root } from "../../scripts/runner/root.ts";
import { readChoices } from "../../scripts/runner/usage.ts";
import { platforms, startConduit } from "../../test/examples/realworld-servers.ts";
import { runProof } from "../support/run-proof.ts";
import { loadNewman, runCollection } from "./newman.ts";

const file = "api/Conduit.postman_collection.json";
const checkout = join(root, "node_modules/.cache/realworld");

const types = { collection: "string", newman: "string", runtime: "string" } as const;

await runProof("realworld", types, async (proof, options) => {
  const collection = resolve(options.collection ?? join(checkout, file));
  if (!existsSync(collection)) {
    proof.skip(`needs --collection FILE: ${file} of the repository gothinkster/realworld`);
  }
  const usual = proof.isQuick ? (["node"] as const) : platforms;
  const runtimes = readChoices("--runtime", options.runtime, platforms, usual);
  const newman = loadNewman(options.newman);
  proof.addVersion("newman", newman.version);
  for (const runtime of runtimes) {
    const server = await startConduit(runtime);
    try {
      const { requests, assertions, failures } = await runCollection(newman, {
        collection,
        apiUrl: `${server.origin}/api`,
      });
      const faults = assertions === 0 ? ["no assertion was made"] : failures;
      const more = { requests };
      proof.add({ case: "all", runtime, tried: assertions, unit: "assertions", more, faults });
    } finally {
      await server.stop();
    }
  }
});
