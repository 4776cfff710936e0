// Runs RealWorld's public API collection with newman against the example on Node and on workerd.
//
//   node proof/realworld.mjs --collection FILE --newman FOLDER
//
// FILE is api/Conduit.postman_collection.json of the repository gothinkster/realworld; FOLDER is one where
// newman is installed. The package must be built. Exit code 1 when an assertion fails.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { platforms, startConduit } from "../test/examples/realworld-servers.ts";

const { values: options } = parseArgs({
  options: { collection: { type: "string" }, newman: { type: "string" } },
});
const { collection, newman: folder } = options;
if (collection === undefined || !existsSync(collection) || folder === undefined) {
  console.error("Give --collection FILE, and --newman FOLDER where newman is installed.");
  process.exit(2);
}
const newman = createRequire(join(resolve(folder), "package.json"))("newman");

/** Runs the collection once and gives newman's summary. */
function runCollection(origin) {
  const globals = {
    APIURL: `${origin}/api`,
    USERNAME: "wren",
    EMAIL: "wren@mail.example",
    PASSWORD: "seven-slow-herons",
  };
  const values = Object.entries(globals).map(([key, value]) => ({ key, value }));
  const run = { collection: resolve(collection), globals: { values }, timeout: 120_000 };
  return new Promise((done, fail) => {
    newman.run(run, (error, summary) => (error ? fail(error) : done(summary.run)));
  });
}

for (const platform of platforms) {
  const server = await startConduit(platform);
  const { stats, failures } = await runCollection(server.origin);
  await server.stop();
  const passed = stats.assertions.total - stats.assertions.failed;
  console.log(
    `${platform}: ${stats.requests.total} requests, ` +
      `${passed} of ${stats.assertions.total} assertions passed`,
  );
  for (const { source, error } of failures) {
    console.log(`  failed: ${source?.name}: ${error.test ?? error.message}`);
  }
  if (failures.length > 0 || passed === 0) process.exitCode = 1;
}
