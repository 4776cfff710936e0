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

describe("reports usage errors with a fix", () => {
  test.each([
    ["rotues", 'Unknown command "rotues". Did you mean "routes"?'],
    ["make:controler x", 'Did you mean "make:controller"?'],
    ["toString", 'Unknown command "toString". Known: "routes", "openapi"'],
    ["__proto__", 'Unknown command "__proto__".'],
    ["--json", 'Unknown command "--json".'],
    ["routes --jsno", 'Unknown option --jsno of `espalier routes`. Did you mean "--json"?'],
    ["routes -j", "Unknown option -j of `espalier routes`."],
    ["openapi --out", "--out requires a value: --out <file>."],
    ["openapi --out --client x.ts", "--out requires a value"],
    ["make:job", "`espalier make:job` requires a name: espalier make:job <name>."],
    ["make:job a b", "takes 1 argument, got 2"],
    ["make:job a --forse", 'Did you mean "--force"?'],
    ["doctor src/worker.ts", "`espalier doctor` takes 0 arguments, got 1"],
  ])("espalier %s", (line, message) => {
    const { code, output, errors } = project.espalier(...line.split(" "));
    expect(errors).toContain(message);
    expect(errors).not.toMatch(/\n\s+at /);
    expect({ code, output }).toEqual({ code: 1, output: "" });
  });
});
