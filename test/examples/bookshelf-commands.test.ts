import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Miniflare } from "miniflare";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { cover } from "../../examples/bookshelf/seed-data.ts";
import { startWorkerd } from "../support/workerd.ts";

const readme = new URL("../../examples/bookshelf/README.md", import.meta.url);
// `--json` requires curl 7.82.
const hasCurl =
  spawnSync("curl", ["--help", "all"], { encoding: "utf8" }).stdout?.includes("--json") === true;

describe.skipIf(!hasCurl)("the bookshelf's curl lines", () => {
  let folder: string;
  let mf: Miniflare;
  let base = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "bookshelf-"));
    writeFileSync(join(folder, "cover.png"), Buffer.from(cover.base64, "base64"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  // Each set of commands gets a newly seeded library.
  beforeEach(async () => {
    mf = await startWorkerd("examples/bookshelf/worker.ts");
    base = (await mf.ready).origin;
  });
  afterEach(() => mf.dispose());

  /** Runs a command in a shell and returns the response's status, or curl's error. */
  function statusOf(line: string, variables: object = {}): number | string {
    const command = `${line} --silent --show-error --output answer --write-out '%{http_code}'`;
    const { stdout, stderr } = spawnSync("sh", ["-c", command], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, ...variables },
    });
    return stderr === "" ? Number(stdout) : stderr;
  }

  /** Runs `NAME=$(…)` and returns the variable's value. */
  function shellValueOf(assignment: string): string {
    const name = assignment.slice(0, assignment.indexOf("="));
    const script = `${assignment}; printf %s "$${name}"`;
    return spawnSync("sh", ["-c", script], { cwd: folder, encoding: "utf8" }).stdout;
  }

  test("in the README respond with the documented status", () => {
    const text = readFileSync(readme, "utf8").replaceAll("http://localhost:8787", base);
    const lines = [...text.matchAll(/^(curl .*) # (\d{3})$|^([A-Z]+)=\$\(.*\)$/gm)];
    expect(lines.length).toBeGreaterThan(20);
    const variables: Record<string, string> = {};
    for (const [whole, line = "", status, name] of lines) {
      if (name !== undefined) variables[name] = shellValueOf(whole);
      else expect([line, statusOf(line, variables)]).toEqual([line, Number(status)]);
    }
  });

  test("on the page all succeed, in order", async () => {
    const html = await (await fetch(base)).text();
    const lines = [...html.matchAll(/<code>(curl [^<]*)<\/code>/g)].map(([, code]) =>
      unescapeHtml(code),
    );
    expect(lines.length).toBeGreaterThan(20);
    const assignment = /<code>(TOKEN=[^<]*)<\/code>/.exec(html)?.[1];
    const variables = { TOKEN: shellValueOf(unescapeHtml(assignment)) };
    for (const line of lines) {
      expect([line, statusOf(line, variables)]).toEqual([line, expect.toSatisfy(isSuccess)]);
    }
  });
});

const isSuccess = (status: unknown): boolean =>
  typeof status === "number" && status >= 200 && status < 400;

function unescapeHtml(text = ""): string {
  const plain = text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"');
  return plain.replaceAll("&#39;", "'").replaceAll("&amp;", "&");
}
