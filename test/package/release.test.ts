import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { root } from "../support/bundle.ts";

let folder: string;

const write = (file: string, content: unknown): void =>
  writeFileSync(
    join(folder, file),
    typeof content === "string" ? content : JSON.stringify(content, null, 2),
  );

const git = (...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=Tester", "-c", "user.email=tester@example.com", ...args], {
    cwd: folder,
    encoding: "utf8",
  });

function commit(): void {
  git("add", ".");
  git("commit", "--quiet", "--message", "a state");
}

/** A repository of which 1.2.0 can be released. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "espalier-release-"));
  git("init", "--quiet");
  mkdirSync(join(folder, "create-espalier/src"), { recursive: true });
  write("package.json", {
    version: "1.2.0",
    scripts: { check: "node --eval \"require('node:fs').writeFileSync('.git/checked', '')\"" },
    devDependencies: { vitest: "5.1.1", bun: "1.4.5" },
  });
  write("jsr.json", { version: "1.2.0" });
  write("create-espalier/package.json", { version: "1.2.0" });
  write(
    "create-espalier/src/versions.ts",
    'export const versions = {\n  "@types/bun": "^1.4.5",\n  vitest: "^5.1.1",\n} as const;\n',
  );
  write("CHANGELOG.md", "# Changelog\n\n## 1.2.0\n\n- A line.\n\n## 1.1.0\n\n- Another.\n");
  commit();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function release(...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, "scripts/release.mjs"), ...args],
    {
      cwd: folder,
      encoding: "utf8",
      env: {
        ...process.env,
        GIT_AUTHOR_NAME: "Tester",
        GIT_AUTHOR_EMAIL: "tester@example.com",
        GIT_COMMITTER_NAME: "Tester",
        GIT_COMMITTER_EMAIL: "tester@example.com",
      },
    },
  );
  return { status, output: stdout + stderr };
}

describe("a release", () => {
  test("--dry-run shows the changelog's section, checks nothing and tags nothing", () => {
    const { status, output } = release("--dry-run");
    expect(output).toContain("v1.2.0\n\n- A line.\n");
    expect(output).not.toContain("Another");
    expect(output).toContain("Would run `npm run check`");
    expect(status).toBe(0);
    expect(existsSync(join(folder, ".git/checked"))).toBe(false);
    expect(git("tag")).toBe("");
  });

  test("runs the checks, then tags", () => {
    const { status, output } = release();
    expect(output).toContain("git push origin v1.2.0");
    expect(status).toBe(0);
    expect(existsSync(join(folder, ".git/checked"))).toBe(true);
    expect(git("tag").trim()).toBe("v1.2.0");
    expect(git("cat-file", "-t", "v1.2.0").trim()).toBe("tag");
  });

  test("does not tag when the checks fail", () => {
    write("package.json", { version: "1.2.0", scripts: { check: "exit 3" }, devDependencies: {} });
    write("create-espalier/src/versions.ts", "export const versions = {} as const;\n");
    commit();
    expect(release().status).toBe(3);
    expect(git("tag")).toBe("");
  });

  test("does not tag when the checks change a file", () => {
    write("package.json", {
      version: "1.2.0",
      scripts: { check: "node --eval \"require('node:fs').writeFileSync('built.txt', '')\"" },
      devDependencies: { vitest: "5.1.1", bun: "1.4.5" },
    });
    commit();
    const { status, output } = release();
    expect(status).toBe(1);
    expect(output).toContain("built.txt");
    expect(git("tag")).toBe("");
  });
});

type Refusal = [title: string, change: () => void, problem: string, version?: string];

describe("a release is refused", () => {
  test.each([
    ["of an invalid version", () => {}, 'must be like 1.2.3, got "1.2"', "1.2"],
    [
      "of another version than the packages have",
      () => {},
      "The version in jsr.json is 1.2.0",
      "1.3.0",
    ],
    [
      "while the starter has another version",
      () => write("create-espalier/package.json", { version: "1.1.0" }),
      "The version in create-espalier/package.json is 1.1.0",
    ],
    [
      "without a section in the changelog",
      () => write("CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n- A line.\n"),
      'no section "## 1.2.0"',
    ],
    [
      "with an empty section",
      () => write("CHANGELOG.md", "# Changelog\n\n## 1.2.0\n\n## 1.1.0\n\n- Another.\n"),
      "The section of 1.2.0 in CHANGELOG.md is empty",
    ],
    [
      "while new projects get a tool that is not tested",
      () =>
        write("create-espalier/src/versions.ts", 'export const v = {\n  vitest: "^4.0.0",\n};\n'),
      "has vitest 4.0.0, tested is 5.1.1",
    ],
    ["when its tag exists", () => git("tag", "v1.2.0"), "The tag v1.2.0 already exists"],
  ] as readonly Refusal[])("%s", (_title, change, problem, version = "1.2.0") => {
    change();
    if (git("status", "--porcelain") !== "") commit();
    const { status, output } = release(version, "--dry-run");
    expect(output).toContain(problem);
    expect(status).toBe(1);
  });

  test("while files are changed", () => {
    appendFileSync(join(folder, "CHANGELOG.md"), "more\n");
    const { status, output } = release("--dry-run");
    expect(output).toContain("The working tree is not clean:\nM CHANGELOG.md");
    expect(status).toBe(1);
  });
});

test("the tools of new projects are those that this repository is tested with", () => {
  const script = join(root, "scripts/release.mjs");
  const { stdout, stderr } = spawnSync(process.execPath, [script, "--dry-run", "0.0.0"], {
    cwd: root,
    encoding: "utf8",
  });
  expect(stderr).toContain("Cannot release v0.0.0");
  expect(stdout + stderr).not.toContain("versions.ts has");
});
