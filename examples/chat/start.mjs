// Starts Redis, two processes of the chat, and nginx in front of them. Ctrl+C stops all of them.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = mkdtempSync(join(tmpdir(), "espalier-chat-"));
const port = Number(process.env.PORT ?? 8080);
const [redisPort, ...chatPorts] = [await freePort(), await freePort(), await freePort()];
const children = [];

start("redis-server", [
  "--port",
  `${redisPort}`,
  "--bind",
  "127.0.0.1",
  "--save",
  "",
  "--dir",
  folder,
]);
for (const chatPort of chatPorts) {
  start(process.execPath, [fileURLToPath(new URL("server.ts", import.meta.url))], {
    PORT: `${chatPort}`,
    REDIS_URL: `redis://127.0.0.1:${redisPort}`,
  });
}
writeFileSync(join(folder, "nginx.conf"), nginxConfig());
start("nginx", ["-p", folder, "-c", "nginx.conf", "-e", "stderr"]);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => stop(0));
await waitUntilServed(`http://127.0.0.1:${port}/instance`);
console.log(`The chat is at http://localhost:${port}/`);

function start(command, args, env = {}) {
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  children.push(child);
  child.on("error", () => {
    console.error(`The program ${command} is not installed.`);
    stop(1);
  });
  child.on("exit", (code) => {
    if (stop.isStopping) return;
    console.error(`${command} exited with ${code}.`);
    stop(1);
  });
}

function stop(code) {
  if (stop.isStopping) return;
  stop.isStopping = true;
  // Processes of the chat first: they close their connections before Redis ends.
  for (const child of children.slice(1)) child.kill("SIGTERM");
  setTimeout(() => {
    for (const child of children) child.kill("SIGTERM");
    rmSync(folder, { recursive: true, force: true });
    process.exit(code);
  }, 1500);
}

/** Resolves after 20 successful responses in a row: nginx has reached both processes. */
async function waitUntilServed(url) {
  for (let served = 0; served < 20; ) {
    const isServed = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    served = isServed ? served + 1 : 0;
    if (!isServed) await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Round-robin between the processes; upgrades are forwarded, and idle WebSockets stay open for an hour. */
function nginxConfig() {
  return `daemon off;
pid ${folder}/nginx.pid;
worker_processes 1;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  map $http_upgrade $connection_upgrade {
    default upgrade;
    "" "";
  }
  upstream chat {
${chatPorts.map((chatPort) => `    server 127.0.0.1:${chatPort} max_fails=0;`).join("\n")}
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://chat;
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
      proxy_read_timeout 1h;
    }
  }
}
`;
}
