import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { ResultHeader } from "../../scripts/runner/result.ts";
import type { Mutant } from "./instrument.ts";
import type { Verdict } from "./run-mutants.ts";

const equivalentsPath = fileURLToPath(new URL("./equivalent.json", import.meta.url));

/** A survivor that was reviewed and has no observable effect. */
export interface Equivalent {
  readonly file: string;
  readonly mutator: string;
  /** Source line at the start of the change, which identifies it when lines move. */
  readonly code: string;
  readonly original: string;
  readonly replacement: string;
  readonly reason: string;
}

type Named = Omit<Equivalent, "reason">;

/** Key that identifies a mutant after its file has changed elsewhere. */
export const keyOf = ({ file, mutator, code, original, replacement }: Named): string =>
  JSON.stringify([file, mutator, code, original, replacement]);

/** Reviewed survivors, by key. */
export function readEquivalents(): ReadonlyMap<string, Equivalent> {
  if (!existsSync(equivalentsPath)) return new Map();
  const list: Equivalent[] = JSON.parse(readFileSync(equivalentsPath, "utf8"));
  return new Map(list.map((one) => [keyOf(one), one]));
}

const percent = (part: number, whole: number): number =>
  whole === 0 ? 100 : Math.round((10_000 * part) / whole) / 100;

/** A mutant that no test detected. */
export type Undetected = Omit<Mutant, "id"> & {
  /** `file:line:column`. */
  readonly at: string;
  readonly status: Verdict["status"] | undefined;
};

/** Statistics of a run, and its survivors. */
export interface Summary {
  readonly area: string;
  readonly mutants: number;
  readonly killed: number;
  readonly timeout: number;
  readonly survived: number;
  readonly noCoverage: number;
  readonly equivalent: number;
  /** Share of killed mutants, in percent. */
  readonly score: number;
  /** The same, without equivalent mutants. */
  readonly scoreOfNotEquivalent: number;
  /** Scores by file. */
  readonly files: Readonly<Record<string, number>>;
  readonly survivors: readonly Undetected[];
  readonly equivalents: readonly (Undetected & { readonly reason: string | undefined })[];
}

/** Summarises a run. */
export function summarise(
  area: string,
  mutants: readonly Mutant[],
  verdicts: ReadonlyMap<string, Verdict>,
  equivalents: ReadonlyMap<string, Equivalent>,
): Summary {
  const count = (status: string): number =>
    mutants.filter(({ id }) => verdicts.get(id)?.status === status).length;
  const shown = ({ id, ...mutant }: Mutant): Undetected => ({
    at: `${mutant.file}:${mutant.line}:${mutant.column}`,
    ...mutant,
    status: verdicts.get(id)?.status,
  });
  const undetected = mutants.filter(({ id }) =>
    ["survived", "noCoverage"].includes(verdicts.get(id)?.status ?? "noCoverage"),
  );
  const isEquivalent = (mutant: Mutant): boolean => equivalents.has(keyOf(mutant));
  const equivalent = undetected.filter(isEquivalent);
  const detected = count("killed") + count("timeout");
  const files = [...new Set(mutants.map(({ file }) => file))].sort();
  return {
    area,
    mutants: mutants.length,
    killed: count("killed"),
    timeout: count("timeout"),
    survived: count("survived"),
    noCoverage: count("noCoverage"),
    equivalent: equivalent.length,
    score: percent(detected, mutants.length),
    scoreOfNotEquivalent: percent(detected, mutants.length - equivalent.length),
    files: Object.fromEntries(
      files.map((file) => {
        const own = mutants.filter((mutant) => mutant.file === file);
        return [file, percent(own.filter((one) => !undetected.includes(one)).length, own.length)];
      }),
    ),
    survivors: undetected.filter((mutant) => !isEquivalent(mutant)).map(shown),
    equivalents: equivalent.map((mutant) => ({
      ...shown(mutant),
      reason: equivalents.get(keyOf(mutant))?.reason,
    })),
  };
}

/** Returns the entries of `equivalent.json` for the files that match no mutant. */
export function staleEquivalents(
  mutants: readonly Mutant[],
  equivalents: ReadonlyMap<string, Equivalent>,
): readonly Equivalent[] {
  const files = new Set(mutants.map(({ file }) => file));
  const known = new Set(mutants.map(keyOf));
  return [...equivalents.values()].filter((one) => files.has(one.file) && !known.has(keyOf(one)));
}

/** Writes the result of an area, formatted as by the repository's formatter. */
export function writeAreaResult(path: string, header: ResultHeader, details: object): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify({ ...header, ...details }, null, 2)}\n`);
  const biome = fileURLToPath(new URL("../../node_modules/.bin/biome", import.meta.url));
  execFileSync(biome, ["format", "--write", path], { stdio: "ignore" });
}
