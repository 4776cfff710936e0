import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "../../scripts/runner/root.ts";
import { type Generator, knownLimits, writeProgram } from "./call-operations.ts";
import { type CallFact, judgeCalls } from "./judge-calls.ts";
import type { Operation } from "./operations.ts";
import { startApplication } from "./start-application.ts";

/** Calls of one client. */
export interface ClientRun {
  readonly faults: readonly string[];
  /** Known limits of the generator that were observed. */
  readonly limits: readonly string[];
}

/**
 * Calls every operation of a new application by a generated client.
 *
 * @param home folder with the clients
 * @param folder receives the server
 */
export async function runClient(
  name: string,
  generator: Generator,
  operations: readonly Operation[],
  { home, folder }: { readonly home: string; readonly folder: string },
): Promise<ClientRun> {
  const program = join(home, `call-${generator}.mjs`);
  await build({
    entryPoints: [writeProgram(home, generator, operations)],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    alias: { "espalier/client": join(root, "src/client.ts") },
    nodePaths: [join(root, "node_modules")],
    tsconfigRaw: {},
    logLevel: "error",
  });
  const application = await startApplication(name, folder);
  try {
    const { url, token } = application;
    const { stdout, stderr, status } = spawnSync(process.execPath, [program, url, token], {
      encoding: "utf8",
      timeout: 60_000,
    });
    if (status !== 0)
      return { faults: [`the program exited with ${status}: ${stderr}`], limits: [] };
    const facts: CallFact[] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    return compareWithLimits(generator, operations, judgeCalls(operations, facts));
  } finally {
    application.stop();
  }
}

function compareWithLimits(
  generator: Generator,
  operations: readonly Operation[],
  found: readonly string[],
): ClientRun {
  const known = knownLimits[generator].filter((limit) =>
    operations.some(({ id }) => limit.startsWith(`${id}: `)),
  );
  const isKnown = (fault: string): boolean => known.some((limit) => fault.startsWith(limit));
  const gone = known.filter((limit) => !found.some((fault) => fault.startsWith(limit)));
  return {
    faults: [
      ...found.filter((fault) => !isKnown(fault)),
      ...gone.map((limit) => `${limit}: this known limit did not occur`),
    ],
    limits: found.filter(isKnown),
  };
}
