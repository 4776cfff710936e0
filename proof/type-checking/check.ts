import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../scripts/runner/root.ts";
import type { Form } from "./forms.ts";

/** Cost of one type check. */
export interface Cost {
  readonly seconds: number;
  readonly instantiations: number;
}

/**
 * Type-checks a module with some routes, with the settings of the package's own sources. The least time of several
 * rounds counts, because other processes only ever add time.
 */
export function check(form: Form, routes: number, rounds: number): Cost {
  const folder = mkdtempSync(join(tmpdir(), "espalier-type-checking-"));
  try {
    writeProgram(folder, form, routes);
    const costs = Array.from({ length: rounds }, () => compile(folder));
    return {
      seconds: Math.min(...costs.map(({ seconds }) => seconds)),
      instantiations: costs[0]?.instantiations ?? 0,
    };
  } catch (error) {
    const output = error instanceof Error && "stdout" in error ? String(error.stdout) : "";
    throw new Error(`The routes do not compile:\n${output || error}`, { cause: error });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function writeProgram(folder: string, { head, route }: Form, routes: number): void {
  const lines = [...head, ...Array.from({ length: routes }, (_, n) => route(n)), "export {};"];
  writeFileSync(join(folder, "routes.ts"), lines.join("\n"));
  const config = {
    extends: join(root, "tsconfig.json"),
    compilerOptions: {
      rootDir: "/",
      isolatedDeclarations: false,
      declaration: false,
      noUnusedLocals: false,
      // The sources that an application imports include those for Node; this folder has no packages.
      typeRoots: [join(root, "node_modules/@types")],
      types: ["node"],
    },
    files: ["routes.ts", join(root, "src/ambient.d.ts")],
    include: [],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
}

function compile(folder: string): Cost {
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const output = execFileSync(
    process.execPath,
    [compiler, "-p", folder, "--extendedDiagnostics", "--pretty", "false"],
    { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
  );
  const read = (label: string): number =>
    Number(new RegExp(`${label}:\\s+([\\d.]+)`).exec(output)?.[1]);
  return { seconds: read("Check time"), instantiations: read("Instantiations") };
}
