import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { defineConfig } from "vitest/config";

/** Copy with the mutants; set by the driver. */
const tree = process.env["MUTATION_TREE"] ?? "";
const repository = await import(pathToFileURL(join(tree, "vitest.config.ts")).href);
const [{ plugins, resolve }] = repository.default.test.projects;

export default defineConfig({
  root: tree,
  cacheDir: join(tree, "..", "cache"),
  plugins,
  resolve,
  test: {
    include: ["mutation-worker.test.ts"],
    pool: "forks",
    maxWorkers: 1,
    isolate: false,
    // Ends a mutant that waits for ever.
    testTimeout: Number(process.env["MUTATION_TEST_MS"] ?? 8_000),
    hookTimeout: 8_000,
    update: false,
    reporters: ["dot"],
    // Unhandled errors of a mutant must not fail the worker.
    dangerouslyIgnoreUnhandledErrors: true,
  },
});
