import type { ProxySettings } from "./proxy.ts";

/** Path of HAProxy's administration socket. */
export const adminSocket = (folder: string): string => `${folder}/admin.sock`;

/**
 * Returns a configuration as the deployment page recommends it, with a guard on `/admin` and two kinds of
 * health checks: over HTTP/1.0 without a Host header, HAProxy's default, and over HTTP/1.1.
 */
export function configureHaproxy({ port, upstreams, folder }: ProxySettings): string {
  const servers = upstreams.map((upstream, at) => `server s${at} 127.0.0.1:${upstream}`);
  return `global
  maxconn 4096
  stats socket ${adminSocket(folder)} level admin
  expose-experimental-directives
defaults
  mode http
  retries 3
  option redispatch
  timeout connect 5s
  timeout check 10s
  timeout client 120s
  timeout server 120s
  timeout http-keep-alive 120s
  timeout tunnel 120s
frontend public
  bind 127.0.0.1:${port}
  http-request deny deny_status 400 if { path,url_dec -m sub \\\\ }
  http-request normalize-uri percent-decode-unreserved
  http-request normalize-uri path-merge-slashes
  http-request normalize-uri path-strip-dot
  http-request normalize-uri path-strip-dotdot full
  http-request deny if { path,url_dec -m beg -i /admin }
  option forwardfor
  http-request set-header X-Forwarded-Proto http
  http-request set-header X-Forwarded-Host %[req.hdr(host)]
  default_backend app
backend app
  retry-on conn-failure empty-response
  http-request disable-l7-retry unless METH_GET
  option httpchk GET /health/live
  default-server check inter 1s fall 3 rise 1
  ${servers.join("\n  ")}
backend with_host
  option httpchk
  http-check send meth GET uri /health/live ver HTTP/1.1 hdr Host app.example
  default-server check inter 1s fall 3 rise 1
  ${servers.join("\n  ")}
`;
}
