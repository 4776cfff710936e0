import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Answer } from "./case.ts";

/** One JSON line per case, for readable diffs: its title and its responses. */
const file = fileURLToPath(new URL("expectations.jsonl", import.meta.url));

/** Recorded and reviewed responses of Node, by the titles of the cases. */
export function readExpectations(): Record<string, readonly Answer[]> {
  if (!existsSync(file)) return {};
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return Object.fromEntries(lines.map((line) => JSON.parse(line) as [string, readonly Answer[]]));
}

export function writeExpectations(answers: Readonly<Record<string, readonly Answer[]>>): void {
  const lines = Object.entries(answers).map((entry) => `${JSON.stringify(entry)}\n`);
  writeFileSync(file, lines.join(""));
}
