import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { defineConfig } from "vitest/config";

/** The copy with the mutants; the driver sets it. */
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
    // A mutant that waits for ever is stopped by the limit of its test.
    testTimeout: Number(process.env["MUTATION_TEST_MS"] ?? 8_000),
    hookTimeout: 8_000,
    update: false,
    reporters: ["dot"],
    // What a mutant leaves behind is not the worker's failure.
    dangerouslyIgnoreUnhandledErrors: true,
  },
});
