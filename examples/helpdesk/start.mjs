// Starts four processes of the helpdesk behind nginx, with PostgreSQL and Redis. Ctrl+C stops all of them.
//
// DATABASE_URL and REDIS_URL name servers that run already; otherwise the installed programs are started with data
// that is deleted at the end. PORT is that of nginx, 8080 by default.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Children } from "./start/children.mjs";
import { freePort } from "./start/free-port.mjs";
import { startNginx } from "./start/nginx.mjs";
import { startPostgres } from "./start/postgres.mjs";

const processes = 4;
const port = Number(process.env.PORT ?? 8080);
const folder = mkdtempSync(join(tmpdir(), "espalier-helpdesk-"));
const children = new Children(() => rmSync(folder, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => children.stop(0));

try {
  const databaseUrl = process.env.DATABASE_URL ?? (await startPostgres(children, folder));
  const redisUrl = process.env.REDIS_URL ?? (await startRedis());
  const settings = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl };
  migrate(settings);
  await startNginx(children, { folder, port, upstreams: await startProcesses(settings) });
  console.log(`The helpdesk is at http://localhost:${port}/docs`);
} catch (error) {
  if (!children.isStopping) {
    console.error(error.message);
    console.error("With Docker: docker compose -f examples/helpdesk/compose.yaml up");
    await children.stop(1);
  }
}

async function startRedis() {
  const redisPort = await freePort();
  const flags = ["--port", `${redisPort}`, "--bind", "127.0.0.1", "--save", "", "--dir", folder];
  await children.start("redis-server", flags, {
    until: "Ready to accept connections",
    isServer: true,
  });
  return `redis://127.0.0.1:${redisPort}`;
}

/** Creates the tables once, before the processes start. */
function migrate(settings) {
  const env = { ...process.env, ...settings };
  const { status } = spawnSync(process.execPath, [pathOf("migrate.ts")], { env, stdio: "inherit" });
  if (status !== 0) throw new Error("The tables could not be created.");
}

/** Starts the processes, and returns their ports. */
async function startProcesses(settings) {
  const files = join(folder, "files");
  mkdirSync(files);
  const ports = [];
  for (let index = 0; index < processes; index += 1) ports.push(await freePort());
  await Promise.all(
    ports.map((one) =>
      children.start(process.execPath, [pathOf("server.ts")], {
        env: {
          ...settings,
          PORT: `${one}`,
          HOST: "127.0.0.1",
          PROXIES: "1",
          HELPDESK_FILES: files,
        },
        until: "Helpdesk is listening",
        isEchoed: true,
      }),
    ),
  );
  return ports;
}

function pathOf(file) {
  return fileURLToPath(new URL(file, import.meta.url));
}
