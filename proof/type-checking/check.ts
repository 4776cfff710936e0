import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../scripts/runner/root.ts";
import { typeCheck } from "../../scripts/runner/type-check.ts";
import type { Form } from "./forms.ts";

/** Least time of several type checks, and what each instantiates. */
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
    const costs = Array.from({ length: rounds }, () => typeCheck(folder, "The routes"));
    return {
      seconds: Math.min(...costs.map(({ checkSeconds }) => checkSeconds)),
      instantiations: costs[0]?.instantiations ?? 0,
    };
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
