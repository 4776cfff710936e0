import type { ProxySettings } from "./proxy.ts";

/** Returns a configuration as the deployment page recommends it, with a guard on `/admin`. */
export function configureNginx({ port, upstreams, folder }: ProxySettings): string {
  const isRoot = process.getuid?.() === 0;
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return `${isRoot ? "user root;" : ""}
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr error;
events { worker_connections 4096; }
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join("\n  ")}
  client_max_body_size 0;
  upstream app {
    ${upstreams.map((upstream) => `server 127.0.0.1:${upstream} fail_timeout=1s;`).join("\n    ")}
    keepalive 500;
  }
  map $http_upgrade $connection_upgrade {
    default upgrade;
    "" "";
  }
  server {
    listen 127.0.0.1:${port} backlog=4096;
    proxy_http_version 1.1;
    proxy_set_header Host $host;
    proxy_set_header Upgrade $http_upgrade;
    proxy_set_header Connection $connection_upgrade;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_set_header X-Forwarded-Proto $scheme;
    proxy_set_header X-Forwarded-Host $host;
    if ($request_uri ~ "\\\\\\\\") { return 400; }
    location ~* ^/admin { return 403; }
    location /unbuffered/ {
      proxy_request_buffering off;
      proxy_buffering off;
      proxy_pass http://app;
    }
    location / { proxy_pass http://app; }
  }
}
`;
}
