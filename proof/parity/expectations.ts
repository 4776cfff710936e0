import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Answer } from "./case.ts";

/** A line of JSON for each case, so that a change can be read: its title and its answers. */
const file = fileURLToPath(new URL("expectations.jsonl", import.meta.url));

/** The answers of Node by the titles of the cases, as they were recorded and read. */
export function readExpectations(): Record<string, readonly Answer[]> {
  if (!existsSync(file)) return {};
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return Object.fromEntries(lines.map((line) => JSON.parse(line) as [string, readonly Answer[]]));
}

export function writeExpectations(answers: Readonly<Record<string, readonly Answer[]>>): void {
  const lines = Object.entries(answers).map((entry) => `${JSON.stringify(entry)}\n`);
  writeFileSync(file, lines.join(""));
}
