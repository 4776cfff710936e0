import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ApplicationCase, Exchange } from "../applications.ts";
import { pathOf, pinned } from "./start-server.ts";

/** What one stretch of load came to. */
export interface LoadResult {
  readonly requestsPerSecond: number;
  readonly requests: number;
  readonly p99Ms: number;
}

/** The processor of the load generator. */
const loadCore = 0;
const connections = 32;

const run = promisify(execFile);

/** Sends an application's requests for some seconds over 32 connections, with wrk where it is. */
export function sendLoad(
  origin: string,
  input: ApplicationCase,
  seconds: number,
): Promise<LoadResult> {
  return existsSync("/usr/bin/wrk")
    ? sendWithWrk(origin, input, seconds)
    : sendWithAutocannon(origin, input, seconds);
}

async function sendWithWrk(
  origin: string,
  { timed }: ApplicationCase,
  seconds: number,
): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), "espalier-load-"));
  const script = join(folder, "load.lua");
  writeFileSync(script, wrkScript(timed));
  const flags = ["-t1", `-c${connections}`, `-d${seconds}s`, "-s", script, origin];
  const [command = "", ...rest] = [...pinned(loadCore), "/usr/bin/wrk", ...flags];
  const { stdout } = await run(command, rest);
  rmSync(folder, { recursive: true, force: true });
  const [, requests, micros, p99Micros, failures] =
    /^RESULT (\d+) (\d+) (\d+) (\d+)$/m.exec(stdout) ?? [];
  if (Number(requests ?? 0) === 0 || failures !== "0") throw new Error(`wrk failed: ${stdout}`);
  return {
    requests: Number(requests),
    requestsPerSecond: (Number(requests) * 1e6) / Number(micros),
    p99Ms: Number(p99Micros) / 1_000,
  };
}

/** What wrk is told, in Lua; the last line of its output is for a program. */
function wrkScript(exchanges: readonly Exchange[]): string {
  // wrk counts answers of 400 and above as errors, which in some applications they are meant to be.
  const isFine = exchanges.every(({ expected }) => expected.statuses.every((code) => code < 400));
  const refused = isFine ? " + errors.status" : "";
  const [first, ...others] = exchanges;
  const requests = first && others.length === 0 ? oneRequest(first) : manyRequests(exchanges);
  return `${requests}
function done(summary, latency, all)
  local errors = summary.errors
  local failures = errors.connect + errors.read + errors.write + errors.timeout${refused}
  local p99 = math.floor(latency:percentile(99))
  io.write(string.format("RESULT %d %d %d %d\\n", summary.requests, summary.duration, p99, failures))
end
`;
}

/** A request that stays the same is written by wrk itself, without a call of the script for each. */
/** Clients write the length themselves, and refuse to be told. */
function sentHeaders(headers: Exchange["headers"]): [name: string, value: string][] {
  return Object.entries(headers).filter(([name]) => name !== "content-length");
}

function oneRequest({ method, url, headers, body }: Exchange): string {
  const lines = sentHeaders(headers).map(
    ([name, value]) => `wrk.headers[${quote(name)}] = ${quote(value)}`,
  );
  if (body !== undefined) lines.push(`wrk.body = ${quote(body)}`);
  return [`wrk.method = ${quote(method)}`, `wrk.path = ${quote(pathOf(url))}`, ...lines].join("\n");
}

/** Several are written before the load begins, and sent in turn. */
function manyRequests(exchanges: readonly Exchange[]): string {
  const requests = exchanges.map(({ method, url, headers, body }) => {
    const fields = sentHeaders(headers).map(([name, value]) => `[${quote(name)}]=${quote(value)}`);
    const text = body === undefined ? "nil" : quote(body);
    return `wrk.format(${quote(method)}, ${quote(pathOf(url))}, {${fields.join(",")}}, ${text})`;
  });
  return `
local requests, at = {}, 0
function init(args)
  requests = { ${requests.join(",\n")} }
end
function request()
  at = at % #requests + 1
  return requests[at]
end`;
}

/** A text of Lua; what JSON escapes, Lua escapes alike, but for characters beyond ASCII. */
function quote(text: string): string {
  return JSON.stringify(text);
}

async function sendWithAutocannon(
  origin: string,
  { timed }: ApplicationCase,
  seconds: number,
): Promise<LoadResult> {
  const { default: autocannon } = await import("autocannon");
  const requests = timed.map(({ method, url, headers, body }) => ({
    method,
    path: pathOf(url),
    headers: Object.fromEntries(sentHeaders(headers)),
    ...(body === undefined ? {} : { body }),
  }));
  const { latency, requests: sent } = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    requests,
  });
  return { requests: sent.total, requestsPerSecond: sent.average, p99Ms: latency.p99 };
}
