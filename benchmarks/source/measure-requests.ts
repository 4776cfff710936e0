import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** A file of `src/` of which a request has called functions. */
export interface CalledFile {
  /** Path below `src/`. */
  readonly name: string;
  /** Number of different functions that were called. */
  readonly functions: number;
  readonly calls: number;
}

/** Returns the called files of each measured request, by its name. */
export function measureRequests(): Readonly<Record<string, readonly CalledFile[]>> {
  const entry = fileURLToPath(new URL("measure-requests-entry.ts", import.meta.url));
  const output = execFileSync(process.execPath, ["--conditions=espalier-source", entry], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  return JSON.parse(output) as Readonly<Record<string, readonly CalledFile[]>>; // see the entry
}
