import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Answer } from "./case.ts";

const file = fileURLToPath(new URL("expectations.json", import.meta.url));

/** The answers of Node by the titles of the cases, as they were recorded and read. */
export function readExpectations(): Record<string, readonly Answer[]> {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
}

export function writeExpectations(answers: Readonly<Record<string, readonly Answer[]>>): void {
  const lines = Object.entries(answers).map(
    ([title, list]) => `${JSON.stringify(title)}: ${JSON.stringify(list)}`,
  );
  writeFileSync(file, `{\n${lines.join(",\n")}\n}\n`);
}
