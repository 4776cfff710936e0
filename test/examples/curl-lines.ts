import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/bundle.ts";

// `--json` requires curl 7.82.
export const hasCurl: boolean =
  spawnSync("curl", ["--help", "all"], { encoding: "utf8" }).stdout?.includes("--json") === true;

/** A command of a README, its documented status, and its actual status. */
export interface CurlOutcome {
  readonly line: string;
  readonly promised: number;
  readonly answered: number | string;
}

/** Runs the `curl` commands of an example's README, in order, against a newly started server. */
export function runCurlLines(example: string, url: string): CurlOutcome[] {
  const text = readFileSync(join(root, "examples", example, "README.md"), "utf8").replaceAll(
    "http://localhost:3000",
    url.replace(/\/$/, ""),
  );
  return [...text.matchAll(/^(curl .*) # (\d{3})$/gm)].map(([, line = "", status]) => ({
    line,
    promised: Number(status),
    answered: statusOf(line),
  }));
}

/** Returns the response's status, or curl's error. */
function statusOf(line: string): number | string {
  const command = `${line} --silent --show-error --output /dev/null --write-out '%{http_code}'`;
  const { stdout, stderr } = spawnSync("sh", ["-c", command], { encoding: "utf8" });
  return stderr === "" ? Number(stdout) : stderr;
}
