import { renameSync, writeFileSync } from "node:fs";
import { type Build, describeBuild } from "./build.ts";
import type { Entry, Sources } from "./entry.ts";
import { describeMachine, loadOfLastMinute, type Machine } from "./machine.ts";

/** First members of every result file of a proof or a benchmark. */
export interface ResultHeader {
  readonly name: string;
  /** `true` for a short form, whose numbers are not meaningful. */
  readonly quick: boolean;
  /** Start of the run, ISO 8601 in UTC. */
  readonly date: string;
  /** `null` in a result that was written before durations were recorded. */
  readonly durationSeconds: number | null;
  readonly build: Build;
  readonly machine: Machine;
  readonly versions: Readonly<Record<string, string>>;
  /** Limitation of the result, such as a build that was determined afterwards. */
  readonly note?: string;
}

/** A number of a result file. */
export interface ResultRow {
  readonly case: string;
  readonly runtime: string;
  readonly subject: string;
  readonly value: number;
  readonly unit: string;
  /** Further numbers of the same case, by name. */
  readonly more?: Readonly<Record<string, number>>;
}

/** A result file. */
export interface Result<Row extends ResultRow = ResultRow> extends ResultHeader {
  readonly rows: readonly Row[];
}

/** Records the start and the build of a run; `describe` adds the duration so far. */
export class RunClock {
  readonly #name: string;
  readonly #quick: boolean;
  readonly #build: Build;
  readonly #date = new Date();
  readonly #startedAt = performance.now();
  readonly #loadBefore = loadOfLastMinute();

  constructor(entry: Pick<Entry, "name" | keyof Sources>, quick: boolean) {
    this.#name = entry.name;
    this.#quick = quick;
    this.#build = describeBuild(entry);
  }

  describe(versions: Readonly<Record<string, string>>): ResultHeader {
    const seconds = (performance.now() - this.#startedAt) / 1_000;
    return {
      name: this.#name,
      quick: this.#quick,
      date: this.#date.toISOString(),
      durationSeconds: Number(seconds.toFixed(1)),
      build: this.#build,
      machine: describeMachine(this.#loadBefore),
      versions,
    };
  }
}

/** Writes a result as JSON; does nothing without a file. */
export function writeResult(file: string | undefined, result: Result): void {
  if (file === undefined) return;
  // Atomic: a process that is killed while writing leaves the previous file.
  writeFileSync(`${file}.part`, `${JSON.stringify(result, null, 1)}\n`);
  renameSync(`${file}.part`, file);
}
