import { spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "./free-port.mjs";

/** Folder of the programs on Debian, which are not on the PATH. */
const debian = "/usr/lib/postgresql";

/** Starts PostgreSQL with an empty database, and returns its URL. */
export async function startPostgres(children, folder) {
  const programs = findPrograms();
  const user = findUser();
  const home = join(folder, "postgres");
  mkdirSync(home);
  if (user.uid !== undefined) {
    chownSync(folder, user.uid, user.gid);
    chownSync(home, user.uid, user.gid);
  }
  const data = join(home, "data");
  const flags = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8"];
  const options = { cwd: home, ...user };
  const { error, status, stderr } = spawnSync(join(programs, "initdb"), flags, {
    encoding: "utf8",
    ...options,
  });
  if (error !== undefined) throw new Error("The program initdb of PostgreSQL is not installed.");
  if (status !== 0) throw new Error(`initdb failed: ${stderr}`);
  const port = await freePort();
  const server = ["-D", data, "-h", "127.0.0.1", "-p", `${port}`, "-c", "unix_socket_directories="];
  const until = "ready to accept connections";
  await children.start(join(programs, "postgres"), server, { until, isServer: true, ...options });
  return `postgres://postgres@127.0.0.1:${port}/postgres`;
}

function findPrograms() {
  if (spawnSync("initdb", ["--version"]).status === 0 || !existsSync(debian)) return "";
  const [newest = ""] = readdirSync(debian).sort((one, other) => Number(other) - Number(one));
  return join(debian, newest, "bin");
}

/** PostgreSQL refuses to run as root: it is started as the user of its package. */
function findUser() {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ["-u", "-g"].map((flag) =>
    Number(spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout.trim() || Number.NaN),
  );
  if (Number.isNaN(uid)) throw new Error("Do not run as root: PostgreSQL refuses it.");
  return { uid, gid };
}
