import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../support/bundle.ts";
import { createProject, type Project } from "./support/project.ts";

const kinds = ["controller", "middleware", "provider", "plugin", "job", "policy"];
const names = ["admin/list-users", "delete", "response"];

const strict = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
  isolatedModules: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  module: "esnext",
  moduleResolution: "bundler",
  target: "es2022",
  lib: ["es2022", "webworker"],
  types: ["node"],
  noEmit: true,
  skipLibCheck: true,
};

const register = `
import type { Application } from "espalier";
import type { AdminPayload } from "./payload.ts";
declare module "espalier" {
  interface Register {
    user: { readonly id: string };
    jobs: { "list-users": AdminPayload; delete: AdminPayload; response: AdminPayload };
  }
}
export type Mine = Application;
`;

function typeErrors(project: Project): string {
  try {
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    return execFileSync(process.execPath, [compiler, "-p", "."], {
      cwd: project.folder,
      encoding: "utf8",
    });
  } catch (error) {
    return String((error as { stdout?: string }).stdout ?? error);
  }
}

describe.each([
  ["in a project that imports .ts", { allowImportingTsExtensions: true }],
  ["in one that imports .js", {}],
])("%s", (_title, options) => {
  test("every kind of part compiles, whatever its name", () => {
    const packages = ["typescript", "@types/node", "vitest"];
    using project = createProject(
      {
        "src/app.ts": "",
        "tsconfig.json": JSON.stringify({
          compilerOptions: { ...strict, ...options },
          include: ["src", "test"],
        }),
      },
      packages,
    );
    for (const kind of kinds) {
      for (const name of names) {
        const { code, errors } = project.espalier(`make:${kind}`, name);
        expect({ code, errors }).toEqual({ code: 0, errors: "" });
      }
    }
    expect(typeErrors(project)).toBe("");
    if (!("allowImportingTsExtensions" in options)) return;
    // Again, with the application's type declarations.
    project.write("src/register.ts", register);
    project.write("src/payload.ts", "export interface AdminPayload { readonly id: string }\n");
    expect(typeErrors(project)).toBe("");
  });
});

describe("a controller's test", () => {
  test("passes on Node's test runner", () => {
    using project = createProject({ "src/app.ts": "" }, []);
    project.espalier("make:controller", "admin/users/ListUsers");
    const output = execFileSync(process.execPath, ["--test", "--test-reporter=tap"], {
      cwd: project.folder,
      encoding: "utf8",
      env: { PATH: process.env["PATH"] },
    });
    expect(output).toContain("# pass 2");
    expect(output).toContain("# fail 0");
  });

  test("uses Vitest if the project does, and passes", () => {
    using project = createProject({ "src/app.ts": "" }, ["vitest"]);
    project.write("package.json", '{ "type": "module", "devDependencies": { "vitest": "*" } }');
    project.espalier("make:controller", "show-book");
    expect(project.read("test/controllers/show-book.test.ts")).toContain('from "vitest"');
    const vitest = join(root, "node_modules/vitest/vitest.mjs");
    const output = execFileSync(process.execPath, [vitest, "run"], {
      cwd: project.folder,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], NO_COLOR: "1" },
    });
    expect(output).toMatch(/Tests {2}2 passed/);
  });
});

test("prints the written files and the next steps", () => {
  using project = createProject({ "src/app.ts": "" }, []);
  expect(project.espalier("make:middleware", "AuditMiddleware").output).toBe(
    "Wrote src/middleware/audit.ts\n\nNext:\n" +
      "  // for every request:\n  app.use(new AuditMiddleware());\n" +
      '  // or for individual routes, by name:\n  app.middleware("audit", new AuditMiddleware());\n',
  );
});

test("without --force no file is replaced", () => {
  using project = createProject({ "src/app.ts": "" }, []);
  project.write("test/controllers/show-book.test.ts", "// mine");
  const refused = project.espalier("make:controller", "show-book");
  expect(refused.code).toBe(1);
  expect(refused.errors).toContain("test/controllers/show-book.test.ts already exists");
  expect(existsSync(join(project.folder, "src/controllers"))).toBe(false);
  expect(project.espalier("make:controller", "show-book", "--force").code).toBe(0);
  expect(project.read("test/controllers/show-book.test.ts")).toContain("ShowBook");
});

test("without src the folders are at the top level", () => {
  using project = createProject({}, []);
  project.espalier("make:policy", "own-book");
  expect(project.read("policies/own-book.ts")).toContain("ownBookPolicy");
});

test("a folder without package.json is an error", () => {
  using project = createProject({}, []);
  execFileSync("rm", [join(project.folder, "package.json")]);
  const { code, errors } = project.espalier("make:job", "mail");
  expect(code).toBe(1);
  expect(errors).toContain("No package.json found in");
});

test("a file in place of a folder is an error", () => {
  using project = createProject({ "src/jobs": "no folder" }, []);
  const { code, errors } = project.espalier("make:job", "mail");
  expect(code).toBe(1);
  expect(errors).toContain("Cannot write src/jobs/mail.ts");
});
