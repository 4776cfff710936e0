import { describeVersions } from "../../scripts/runner/machine.ts";
import {
  type Result,
  type ResultHeader,
  type ResultRow,
  RunClock,
  writeResult,
} from "../../scripts/runner/result.ts";
import {
  type Options,
  type OptionTypes,
  readOptions,
  reportUsage,
} from "../../scripts/runner/usage.ts";
import { proofs } from "../proofs.ts";
import type { Finding } from "./finding.ts";

/** One case of a proof on one runtime. */
export interface ProofRow extends ResultRow {
  /** Number of inputs tried; `value` is the same number unless the case measures something. */
  readonly tried: number;
  /** Descriptions of what was wrong, empty if nothing was. */
  readonly faults: readonly string[];
}

/** A case as proofs report it. */
export interface ProofCase {
  readonly case: string;
  readonly runtime: string;
  readonly tried: number;
  /** Name of the inputs; default `inputs`. With `value`, its unit. */
  readonly unit?: string;
  readonly value?: number;
  readonly more?: Readonly<Record<string, number>>;
  readonly faults?: readonly string[];
}

/** Result file of a proof. */
export interface ProofResult extends Result<ProofRow> {
  /** Number of inputs tried in all rows. */
  readonly inputs: number;
  readonly passed: boolean;
  /** Reason why the proof could not run on this machine. */
  readonly skippedBecause?: string;
}

/** Thrown to end a proof whose requirements are missing on this machine. */
class Skipped extends Error {}

/** Gathers the rows of a proof, prints them, and writes the result file after each. */
export class Proof {
  readonly isQuick: boolean;
  readonly jsonFile: string | undefined;
  readonly #clock: RunClock;
  readonly #versions: Record<string, string> = describeVersions();
  readonly #rows: ProofRow[] = [];
  /** Further members of the result file. */
  #details: Readonly<Record<string, unknown>> = {};

  constructor(name: string, { quick, json }: Pick<Options<OptionTypes>, "quick" | "json">) {
    const entry = proofs.find((proof) => proof.name === name);
    if (entry === undefined) throw new Error(`proof/proofs.ts has no proof "${name}".`);
    this.#clock = new RunClock(entry, quick);
    this.isQuick = quick;
    this.jsonFile = json;
  }

  /** Describes the run so far, for result files beside that of `--json`. */
  describe(): ResultHeader {
    return this.#clock.describe(this.#versions);
  }

  /** Records the version of a tool that only this proof uses. */
  addVersion(name: string, version: string): void {
    this.#versions[name] = version;
  }

  /** Adds members to the result file, beside those that every proof has. */
  addDetails(details: Readonly<Record<string, unknown>>): void {
    this.#details = { ...this.#details, ...details };
    this.#save();
  }

  add({
    case: name,
    runtime,
    tried,
    unit = "inputs",
    value = tried,
    more,
    faults = [],
  }: ProofCase) {
    const numbers = more === undefined ? {} : { more };
    const row = {
      case: name,
      runtime,
      subject: "Espalier",
      value,
      unit,
      tried,
      faults,
      ...numbers,
    };
    this.#rows.push(row);
    printRow(row);
    this.#save();
  }

  /** Adds a finding as a row. */
  addFinding({ title, tried, counts, faults }: Finding, runtime: string): void {
    this.add({
      case: title,
      runtime,
      tried,
      more: Object.fromEntries(counts),
      faults: [...faults].flatMap(([kind, inputs]) => inputs.map((input) => `${kind}: ${input}`)),
    });
  }

  /** Ends the proof, which cannot run on this machine. */
  skip(reason: string): never {
    throw new Skipped(reason);
  }

  /** Runs the proof, prints a verdict, and returns the exit code. */
  async finish(prove: () => Promise<void>): Promise<number> {
    try {
      await prove();
    } catch (error) {
      if (!(error instanceof Skipped)) throw error;
      console.error(`Skipped: ${error.message}`);
      this.addDetails({ skippedBecause: error.message });
      return 2;
    }
    const { name, inputs, durationSeconds, build, passed } = this.#result();
    const verdict = passed ? "passed" : "failed";
    const commit = `${build.commit.slice(0, 9)}${build.isModified ? ", modified" : ""}`;
    console.log(
      `${name} ${verdict}: ${inputs.toLocaleString("en")} tried, ${durationSeconds} s, build ${commit}`,
    );
    this.#save();
    return passed ? 0 : 1;
  }

  #result(): ProofResult {
    return {
      ...this.describe(),
      inputs: this.#rows.reduce((sum, { tried }) => sum + tried, 0),
      passed: this.#rows.length > 0 && this.#rows.every(({ faults }) => faults.length === 0),
      ...this.#details,
      rows: this.#rows,
    };
  }

  #save(): void {
    writeResult(this.jsonFile, this.#result());
  }
}

/**
 * Runs a proof as the program of its process: reads the command line, and sets the exit code to 0
 * if it has passed, 1 if not, and 2 if it cannot run.
 *
 * @param name as in `proof/proofs.ts`
 * @param types options beside `--quick` and `--json FILE`
 */
export function runProof<Types extends OptionTypes>(
  name: string,
  types: Types,
  prove: (proof: Proof, options: Options<Types>) => Promise<void>,
): Promise<void> {
  return reportUsage(async () => {
    const options = readOptions(process.argv.slice(2), types);
    const proof = new Proof(name, options);
    process.exitCode = await proof.finish(() => prove(proof, options));
  });
}

function printRow({ case: name, runtime, tried, value, unit, more = {}, faults }: ProofRow): void {
  const verdict = faults.length === 0 ? "ok    " : "FAILED";
  const measured = value === tried ? "" : `, ${value.toLocaleString("en")} ${unit}`;
  const count = `${tried.toLocaleString("en")} ${value === tried ? unit : "inputs"}${measured}`;
  console.log(`${verdict} ${name} (${runtime}): ${count}`);
  const numbers = Object.entries(more).map(([key, number]) => `${key} ${number}`);
  if (numbers.length > 0) console.log(`       ${numbers.join(", ")}`);
  for (const fault of faults) console.log(`       ${fault}`);
}
