import { afterAll, describe, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { createProject } from "./support/project.ts";

const project = createProject({});
afterAll(() => project[Symbol.dispose]());

test.each([[[]], [["--help"]], [["-h"]], [["help"]]])("usage: espalier %s", (args) => {
  const { code, output } = project.espalier(...args);
  expect(code).toBe(0);
  for (const name of ["routes", "openapi", "doctor", "make:controller", "make:policy"]) {
    expect(output).toContain(name);
  }
  expect(output).not.toContain("\u001b");
});

test("usage of one command", () => {
  const { code, output } = project.espalier("openapi", "--help");
  expect(code).toBe(0);
  expect(output).toContain("--client=<file>");
});

test.each(["--version", "-v"])("espalier %s", (option) => {
  expect(project.espalier(option)).toEqual({
    code: 0,
    output: `${packageJson.version}\n`,
    errors: "",
  });
});

describe("what is called wrongly is told with the way out", () => {
  test.each([
    ["rotues", 'There is no command "rotues". Did you mean "routes"?'],
    ["make:controler x", 'Did you mean "make:controller"?'],
    ["toString", 'There is no command "toString". Known: "routes", "openapi"'],
    ["__proto__", 'There is no command "__proto__".'],
    ["--json", 'There is no command "--json".'],
    ["routes --jsno", '`espalier routes` has no option --jsno. Did you mean "--json"?'],
    ["routes -j", "`espalier routes` has no option -j."],
    ["openapi --out", "--out needs a value: --out <file>."],
    ["openapi --out --client x.ts", "--out needs a value"],
    ["make:job", "`espalier make:job` needs a name: espalier make:job <name>."],
    ["make:job a b", "takes 1 argument, and 2 were given"],
    ["make:job a --forse", 'Did you mean "--force"?'],
    ["doctor src/worker.ts", "`espalier doctor` takes 0 arguments, and 1 were given"],
  ])("espalier %s", (line, message) => {
    const { code, output, errors } = project.espalier(...line.split(" "));
    expect(errors).toContain(message);
    expect(errors).not.toMatch(/\n\s+at /);
    expect({ code, output }).toEqual({ code: 1, output: "" });
  });
});
