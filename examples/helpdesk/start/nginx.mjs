import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const site = readFileSync(new URL("../nginx.conf", import.meta.url), "utf8");

/** Starts nginx in front of the processes. */
export async function startNginx(children, { folder, port, upstreams }) {
  writeFileSync(join(folder, "nginx.conf"), configure({ folder, port, upstreams }));
  const flags = ["-p", folder, "-c", "nginx.conf", "-e", "stderr"];
  await children.start("nginx", flags, { until: "start worker process" });
}

/** The site of the containers, with the addresses of processes on this machine. */
function configure({ folder, port, upstreams }) {
  const servers = upstreams.map((upstream) => `server 127.0.0.1:${upstream} max_fails=0;`);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return `daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr notice;
events {}
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join("\n  ")}
  ${site.replace("server app:3000;", servers.join(" ")).replace("listen 80;", `listen 127.0.0.1:${port};`)}
}
`;
}
