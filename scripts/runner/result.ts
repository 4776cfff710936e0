import { renameSync, writeFileSync } from "node:fs";
import { type Build, describeBuild } from "./build.ts";
import type { Entry } from "./entry.ts";
import { describeMachine, loadOfLastMinute, type Machine } from "./machine.ts";

/** The members with which every result file of a proof or a benchmark begins. */
export interface ResultHeader {
  readonly name: string;
  /** `true` for a short form, whose numbers are not worth quoting. */
  readonly quick: boolean;
  /** Start of the run, ISO 8601 in UTC. */
  readonly date: string;
  readonly durationSeconds: number;
  readonly build: Build;
  readonly machine: Machine;
  readonly versions: Readonly<Record<string, string>>;
}

/** One number of a result file. */
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

/** Notes when a run begins, and on which build; `describe` adds how long it has taken so far. */
export class RunClock {
  readonly #name: string;
  readonly #quick: boolean;
  readonly #build: Build;
  readonly #date = new Date();
  readonly #startedAt = performance.now();
  readonly #loadBefore = loadOfLastMinute();

  constructor({ name, sources }: Pick<Entry, "name" | "sources">, quick: boolean) {
    this.#name = name;
    this.#quick = quick;
    this.#build = describeBuild(sources);
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
  // A process that is killed while it writes leaves the file before.
  writeFileSync(`${file}.part`, `${JSON.stringify(result, null, 1)}\n`);
  renameSync(`${file}.part`, file);
}
