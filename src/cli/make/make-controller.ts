import { type NewFile, type PartKind, sourcePath } from "./part.ts";
import type { PartName } from "./part-name.ts";
import type { Project } from "./project.ts";

/** Template of a controller with validation rules, and of its test. */
export const controller: PartKind = {
  suffix: "",
  description: "Creates a controller and its test.",
  create(name, project) {
    const className = classNameOf(name);
    const path = sourcePath(project, "controllers", name);
    const text = `import { Controller } from "espalier";

/** The rules are validated before \`handle\` runs, and infer the type of \`this.query\`. */
export class ${className} extends Controller.for({
  query: { name: { type: "string", max: 50, default: "world" } },
}) {
  handle(): Response {
    return this.success({ hello: this.query.name });
  }
}
`;
    return {
      files: [{ path, text }, testOf(name, className, path, project)],
      next: `router.get("/${name.path.join("/")}", ${className}, { name: "${name.path.join(".")}" });`,
    };
  },
};

/** Names already used by the generated files. */
const taken: readonly string[] = ["Application", "Controller", "Response"];

function classNameOf({ pascal }: PartName): string {
  return taken.includes(pascal) ? `${pascal}Controller` : pascal;
}

function testOf(name: PartName, className: string, path: string, project: Project): NewFile {
  const up = "../".repeat(name.path.length + 1);
  const source = `${up}${path.replace(/\.ts$/, project.importExtension)}`;
  const runner =
    project.testRunner === "vitest"
      ? { imports: 'import { expect, test } from "vitest";', ...expectations }
      : {
          imports: 'import assert from "node:assert/strict";\nimport { test } from "node:test";',
          ...assertions,
        };
  const imports = [runner.imports, 'import { Application } from "espalier";'];
  // Sorted as formatters do: `node:` imports before packages, packages by name.
  if (project.testRunner === "vitest") imports.reverse();
  return {
    path: `test/controllers/${name.path.join("/")}.test.ts`,
    text: `${imports.join("\n")}
import { ${className} } from "${source}";

function createApplication(): Application {
  const app = new Application();
  app.getRouter().get("/${name.kebab}", ${className});
  return app;
}

test("${className} responds with the validated query", async () => {
  const response = await createApplication().request("/${name.kebab}?name=Ada");
  ${runner.status(200)}
  ${runner.body('{ success: true, data: { hello: "Ada" } }')}
});

test("${className} rejects a name that is too long", async () => {
  const response = await createApplication().request(\`/${name.kebab}?name=\${"a".repeat(51)}\`);
  ${runner.status(422)}
});
`,
  };
}

const expectations = {
  status: (status: number): string => `expect(response.status).toBe(${status});`,
  body: (body: string): string => `expect(await response.json()).toEqual(${body});`,
};

const assertions = {
  status: (status: number): string => `assert.equal(response.status, ${status});`,
  body: (body: string): string => `assert.deepEqual(await response.json(), ${body});`,
};
