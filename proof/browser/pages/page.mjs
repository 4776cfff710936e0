import { cases as corsCases } from "./cors-cases.mjs";
import { cases as eventStreamCases } from "./event-stream-cases.mjs";

const cases = [...eventStreamCases, ...corsCases];

/** Groups and titles of all cases, for the program that opens this page. */
globalThis.titles = cases.map(({ group, title }) => ({ group, title }));

/** Runs one case against a server, and returns the message of its failure, or null. */
globalThis.runCase = async (index, api) => {
  const limit = new Promise((resolve) => setTimeout(resolve, 15_000, "no result in 15 seconds"));
  const run = cases[index].run(api).then(
    () => null,
    (error) => error.message,
  );
  return Promise.race([run, limit]);
};
