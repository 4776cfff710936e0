// Runs the tests of each optional peer dependency with the oldest version that package.json allows.
// The tests run in a temporary copy of the repository, so that the installed packages stay as they are.
// Requires `npm ci`, `npm run build`, and redis-server for the tests of bullmq.
import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Tests of each peer. */
const tests = {
  "@opentelemetry/api": ["test/observability/open-telemetry.test.ts"],
  bullmq: ["test/bullmq"],
  croner: ["test/schedule"],
  crossws: ["test/websocket/servers.test.ts", "test/websocket/upgrades.test.ts"],
  "openapi-fetch": ["test/client"],
  "openapi-typescript": ["test/client", "test/cli/openapi.test.ts"],
};

const root = fileURLToPath(new URL("..", import.meta.url));
const { peerDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const oldest = Object.entries(peerDependencies).map(([name, range]) => {
  const version = /^\^(\d+\.\d+\.\d+)$/.exec(range)?.[1];
  if (version === undefined) throw new Error(`The range of ${name} must be ^x.y.z, got ${range}.`);
  if (tests[name] === undefined)
    throw new Error(`scripts/test-oldest-peers.mjs has no tests of ${name}.`);
  return { name, version };
});

const folder = mkdtempSync(join(tmpdir(), "oldest-peers-"));
try {
  const copy = join(folder, "copy");
  copyRepository(copy);
  const packages = oldest.map(({ name, version }) => `${name}@${version}`);
  const prefix = join(folder, "packages");
  mkdirSync(prefix);
  execFileSync(
    "npm",
    ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", prefix, ...packages],
    {
      stdio: "inherit",
    },
  );
  linkModules(join(copy, "node_modules"), join(prefix, "node_modules"));
  let hasFailed = false;
  for (const { name, version } of oldest) {
    const { status } = spawnSync(
      process.execPath,
      [
        "node_modules/vitest/vitest.mjs",
        "run",
        "--project",
        "node",
        "--maxWorkers=1",
        ...tests[name],
      ],
      { cwd: copy, stdio: "inherit" },
    );
    console.log(`${name} ${version}: ${status === 0 ? "passed" : "failed"}`);
    hasFailed ||= status !== 0;
  }
  process.exitCode = hasFailed ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Copies the files of the repository, and the build. */
function copyRepository(target) {
  const list = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" });
  for (const file of list
    .split("\0")
    .filter((name) => name !== "" && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(target, file)), { recursive: true });
    copyFileSync(join(root, file), join(target, file));
  }
  cpSync(join(root, "dist"), join(target, "dist"), { recursive: true });
}

/** Links every installed package, and the oldest version of each peer in place of the installed one. */
function linkModules(target, oldestModules) {
  const installed = join(root, "node_modules");
  for (const name of namesIn(installed)) {
    const isPeer = peerDependencies[name] !== undefined;
    mkdirSync(dirname(join(target, name)), { recursive: true });
    symlinkSync(join(isPeer ? oldestModules : installed, name), join(target, name));
  }
  symlinkSync(join(installed, ".bin"), join(target, ".bin"));
}

/** Names of the packages in a folder, `@scope/name` included. */
function namesIn(folder) {
  return readdirSync(folder)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) =>
      name.startsWith("@")
        ? readdirSync(join(folder, name)).map((one) => `${name}/${one}`)
        : [name],
    );
}
