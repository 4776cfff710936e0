import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./root.ts";

/** Cost of one type check, as the compiler reports it. */
export interface TypeCheckCost {
  readonly checkSeconds: number;
  readonly instantiations: number;
  readonly memoryKib: number;
}

/**
 * Type-checks the project in a folder with the compiler of this repository.
 *
 * @param subject what is compiled, for the message
 * @throws Error with the compiler's output, if it does not compile
 */
export function typeCheck(folder: string, subject: string): TypeCheckCost {
  const output = compile(folder, subject);
  const read = (label: string): number =>
    Number(new RegExp(`^${label}:\\s+([\\d.]+)`, "m").exec(output)?.[1]);
  return {
    checkSeconds: read("Check time"),
    instantiations: read("Instantiations"),
    memoryKib: read("Memory used"),
  };
}

function compile(folder: string, subject: string): string {
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  try {
    return execFileSync(
      process.execPath,
      [compiler, "-p", folder, "--extendedDiagnostics", "--pretty", "false"],
      { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
    );
  } catch (error) {
    const output = error instanceof Error && "stdout" in error ? String(error.stdout) : "";
    throw new Error(`${subject} do not compile:\n${output || error}`, { cause: error });
  }
}
