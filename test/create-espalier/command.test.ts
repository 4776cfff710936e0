import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import starterJson from "../../create-espalier/package.json" with { type: "json" };
import viteJson from "../../node_modules/vite/package.json" with { type: "json" };
import packageJson from "../../package.json" with { type: "json" };
import { root } from "../support/bundle.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "create-espalier-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the command from its source, without a terminal. */
function create(...words: string[]): { status: number | null; stdout: string; stderr: string } {
  return createAs(undefined, ...words);
}

function createAs(userAgent: string | undefined, ...words: string[]): ReturnType<typeof create> {
  const { npm_config_user_agent: _, ...env } = process.env;
  return spawnSync(process.execPath, [join(root, "create-espalier/src/index.ts"), ...words], {
    cwd: folder,
    encoding: "utf8",
    input: "",
    env: {
      ...env,
      NO_COLOR: "1",
      ...(userAgent === undefined ? {} : { npm_config_user_agent: userAgent }),
    },
  });
}

const written = (name: string): string => readFileSync(join(folder, name), "utf8");
const manifestOf = (name: string): Record<string, Record<string, string>> =>
  JSON.parse(written(`${name}/package.json`));

test("uses the defaults without a terminal", () => {
  const { status, stdout } = create("--no-install", "--no-git");
  expect(status).toBe(0);
  expect(stdout).toContain("cd espalier-app\n  npm install\n  npm run dev\n");
  expect(manifestOf("espalier-app")["dependencies"]).toEqual({
    espalier: `^${packageJson.version}`,
  });
  expect(readdirSync(join(folder, "espalier-app"))).toContain("wrangler.toml");
  expect(written("espalier-app/src/app.ts")).toContain("exposeOpenApi");
});

test("applies the options, with or without a preceding --", () => {
  const options = ["--platform=bun", "-f", "cache,auth", "--package-manager", "pnpm", "--yes"];
  const { status, stdout } = create("shop", "--", ...options, "--no-install", "--no-git");
  expect(status).toBe(0);
  expect(stdout).toContain("pnpm install\n  pnpm run dev");
  expect(readdirSync(join(folder, "shop/src"))).toEqual(
    expect.arrayContaining(["auth.ts", "server.ts"]),
  );
  expect(written("shop/README.md")).toContain("pnpm run dev");
});

/** Runs git in a project. */
function git(name: string, ...words: readonly string[]): string {
  return spawnSync("git", words, { cwd: join(folder, name), encoding: "utf8" }).stdout;
}

test("commits all files to a new repository, without secrets", () => {
  const identity = {
    GIT_AUTHOR_NAME: "Reader",
    GIT_AUTHOR_EMAIL: "reader@example.org",
    GIT_COMMITTER_NAME: "Reader",
    GIT_COMMITTER_EMAIL: "reader@example.org",
  };
  for (const [name, value] of Object.entries(identity)) vi.stubEnv(name, value);
  try {
    expect(create("shop", "-p", "cloudflare", "-f", "auth", "--no-install").status).toBe(0);
    expect(git("shop", "log", "--format=%s")).toBe("Initial commit\n");
    const listed = git("shop", "ls-files");
    expect(listed).toContain(".dev.vars.example");
    expect(listed).not.toMatch(/\.dev\.vars$/m);
    expect(git("shop", "status", "--short")).toBe("");
  } finally {
    vi.unstubAllEnvs();
  }
});

test("without an identity in git, the files are not committed, and the command says so", () => {
  for (const name of ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"]) vi.stubEnv(name, "/dev/null");
  for (const name of ["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"]) vi.stubEnv(name, "");
  try {
    const { status, stdout } = create("shop", "-p", "node", "--no-install");
    expect(status).toBe(0);
    expect(stdout).toContain("The files are not committed: set user.name and user.email");
    expect(git("shop", "status", "--short")).toContain("A  package.json");
  } finally {
    vi.unstubAllEnvs();
  }
});

test.each([
  ["pnpm", "pnpm-workspace.yaml", "esbuild: true"],
  ["yarn", ".yarnrc.yml", "nodeLinker: node-modules"],
])("configures %s in %s", (manager, file, text) => {
  create("shop", "-p", "node", "--package-manager", manager, "--no-install", "--no-git");
  expect(written(`shop/${file}`)).toContain(text);
});

test.each([
  ["cloudflare", "node"],
  ["node", "node"],
  ["deno", "deno"],
  ["bun", "bun"],
])("names the engine of a project on %s, and how VS Code debugs it", (platform, engine) => {
  create("shop", "-p", platform, "--no-install", "--no-git");
  const manifest = JSON.parse(written("shop/package.json")) as { engines: object };
  expect(Object.keys(manifest.engines)).toEqual([engine]);
  const launch = JSON.parse(written("shop/.vscode/launch.json")) as { configurations: object[] };
  expect(launch.configurations).toEqual([
    expect.objectContaining({ name: expect.any(String), type: expect.any(String) }),
  ]);
});

test("generates different secrets for each project", () => {
  for (const name of ["one", "two"]) create(name, "-p", "node", "-f", "auth", "--no-install");
  const secretOf = (name: string): string | undefined =>
    /^AUTH_SECRET="(.{64})"$/m.exec(written(`${name}/.env`))?.[1];
  expect(secretOf("one")).toBeDefined();
  expect(secretOf("one")).not.toBe(secretOf("two"));
  expect(written("one/.env.example")).toMatch(/^AUTH_SECRET=""$/m);
});

test.each([
  ["npm/11.1.0 node/v24.0.0 linux x64", "npm install"],
  ["pnpm/10.2.0 npm/? node/v24.0.0 linux x64", "pnpm install"],
  ["yarn/1.22.22 npm/? node/v24.0.0 linux x64", "yarn install"],
  ["bun/1.4.5 npm/? node/v24.0.0 linux x64", "bun install"],
  ["deno/2.9.6 npm/? deno/2.9.6 linux x64", "deno install"],
])("run by %s, it says %s", (userAgent, command) => {
  const { stdout } = createAs(userAgent, "--no-install", "--no-git");
  expect(stdout).toContain(`  ${command}\n`);
});

test("depends on a tarball by its absolute path", () => {
  writeFileSync(join(folder, "espalier.tgz"), "");
  create("shop", "--espalier", "./espalier.tgz", "--no-install", "--no-git");
  const { espalier } = manifestOf("shop")["dependencies"] ?? {};
  expect(espalier).toMatch(/^file:\/.*espalier\.tgz$/);
});

describe("rejects, before anything is written,", () => {
  test.each([
    [["x", "--platform", "nod"], 'Unknown platform "nod". Did you mean "node"?'],
    [["x", "--features", "auth,quue"], 'Unknown feature "quue". Did you mean "queue"?'],
    [["x", "--package-manager", "nmp"], 'Unknown package manager "nmp". Did you mean "npm"?'],
    [["x", "--platfrom", "node"], 'Unknown option --platfrom. Did you mean "--platform"?'],
    [["x", "--no-instal"], 'Unknown option --no-instal. Did you mean "--no-install"'],
    [["x", "-z"], "Unknown option -z."],
    [["x", "--features"], "--features requires a value."],
    [["x", "y"], 'Unexpected argument "y"; expected one directory.'],
    [["Café du Nord"], '"Café du Nord" is not a valid package name.'],
    [["Café du Nord"], "Try --name cafe-du-nord."],
    [["x", "--name", "vitest"], "Try --name my-vitest."],
    [["x", "--name", "espalier"], "Try --name my-espalier."],
    [["x", "--name", "a".repeat(64)], "The name must have at most 63 characters, got 64."],
  ])("%j", (words, message) => {
    const { status, stdout, stderr } = create(...words);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("    at ");
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(readdirSync(folder)).toEqual([]);
  });

  test("a folder that is not empty, unless forced; its secrets are kept", () => {
    mkdirSync(join(folder, "shop"));
    for (const name of ["README.md", ".env"]) writeFileSync(join(folder, "shop", name), "mine");
    const words = ["shop", "-p", "node", "-f", "auth", "--no-install", "--no-git"];
    const { status, stderr } = create(...words);
    expect(status).toBe(1);
    expect(stderr).toMatch(/shop is not empty: \.env, README\.md\. .*--force/);
    expect(readdirSync(join(folder, "shop")).sort()).toEqual([".env", "README.md"]);

    expect(create(...words, "--force").status).toBe(0);
    expect(written("shop/README.md")).toContain("# shop");
    expect(written("shop/.env")).toBe("mine");
  });

  test("a file", () => {
    writeFileSync(join(folder, "shop"), "");
    expect(create("shop").stderr).toContain("shop is a file; expected a directory.");
  });
});

test("a folder with only a git repository counts as empty", () => {
  spawnSync("git", ["init", "--quiet", folder]);
  const { status, stdout } = create(".", "--name", "shop", "--no-install");
  expect(status).toBe(0);
  expect(stdout).not.toContain("cd ");
});

test("shows its options and its version", () => {
  const { stdout } = create("--help");
  for (const option of ["--platform", "--features", "--no-install", "--force", "DIRECTORY"]) {
    expect(stdout).toContain(option);
  }
  expect(create("--version").stdout).toBe(`${packageJson.version}\n`);
});

test("has the version of the framework, and the tools that the framework is tested with", async () => {
  const { versions } = await import("../../create-espalier/src/versions.ts");
  const tested: Record<string, string> = packageJson.devDependencies;
  const { version: vite } = viteJson;
  expect(starterJson.version).toBe(packageJson.version);
  expect(starterJson).not.toHaveProperty("dependencies");
  for (const [name, range] of Object.entries(versions)) {
    // The versions of Bun's types are those of Bun; vite comes with vitest here.
    const pinned = name === "vite" ? vite : tested[name === "@types/bun" ? "bun" : name];
    expect(range, name).toBe(`${name === "vite" ? "~" : "^"}${pinned}`);
  }
});
