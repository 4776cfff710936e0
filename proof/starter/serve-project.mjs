import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { environment } from "./run-command.mjs";

const startWithinMs = 180_000;

/** Script that serves a project, and its arguments. */
const scripts = {
  cloudflare: (port) => ["dev", "--ip", "127.0.0.1", "--port", String(port)],
  node: () => ["start"],
  deno: () => ["start"],
  bun: () => ["start"],
};

/**
 * Starts a project with the script of its package.json.
 *
 * @param manager how its package manager runs a script
 * @returns its URL once it listens, its output, and a function that stops it
 */
export async function serveProject(cwd, platform, manager) {
  const port = await freePort();
  const [program, ...words] = manager.run;
  const [script, ...args] = scripts[platform](port);
  const given = args.length === 0 ? [] : [...manager.separator, ...args];
  const child = spawn(program, [...words, script, ...given], {
    cwd,
    // A separate process group, so that the package manager and its child processes can be stopped.
    detached: true,
    env: { ...environment, HOST: "127.0.0.1", PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  const server = { url: `http://127.0.0.1:${port}`, output: "", stop };
  const listens = Promise.withResolvers();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      server.output += chunk;
      if (/Listening on|Ready on/.test(server.output)) listens.resolve();
    });
  }
  exited.then((code) =>
    listens.reject(new Error(`The server exited with code ${code}:\n${server.output}`)),
  );
  const late = setTimeout(() => {
    listens.reject(
      new Error(`The server did not start within ${startWithinMs} ms:\n${server.output}`),
    );
  }, startWithinMs);
  try {
    await listens.promise;
    return server;
  } catch (error) {
    await stop();
    throw error;
  } finally {
    clearTimeout(late);
  }

  async function stop() {
    if (child.exitCode !== null) return;
    process.kill(-child.pid, "SIGTERM");
    const lingering = setTimeout(() => process.kill(-child.pid, "SIGKILL"), 5000);
    await exited;
    clearTimeout(lingering);
  }
}

/** Returns a free port. */
function freePort() {
  const { promise, resolve, reject } = Promise.withResolvers();
  const server = createServer();
  server.once("error", reject);
  server.listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
  return promise;
}
