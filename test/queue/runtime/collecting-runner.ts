import type { TestRunner } from "../../../src/testing/cache-store-suite.ts";

/** Result of a test. */
export interface TestResult {
  readonly title: string;
  /** Thrown error; undefined if it passed. */
  readonly error?: string;
}

/** A test runner for runtimes without one: collects tests, and runs them sequentially on request. */
export function createCollectingRunner(): TestRunner & { run(): Promise<TestResult[]> } {
  const tests: { title: string; body: () => Promise<void> }[] = [];
  const prefixes: string[] = [];
  return {
    describe(name, body) {
      prefixes.push(name);
      body();
      prefixes.pop();
    },
    it(name, body) {
      tests.push({ title: [...prefixes, name].join(": "), body });
    },
    async run() {
      const results: TestResult[] = [];
      for (const { title, body } of tests) {
        try {
          await body();
          results.push({ title });
        } catch (error) {
          results.push({ title, error: error instanceof Error ? error.message : String(error) });
        }
      }
      return results;
    },
  };
}
