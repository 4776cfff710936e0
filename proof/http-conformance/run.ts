// Requests of every method and with every conditional header, and malformed messages, on Node, Deno and Bun,
// alone and behind nginx. Each response must keep the rules of RFC 9110 and RFC 9112 in rules.ts.
import { readChoices } from "../../scripts/runner/usage.ts";
import { startServerProcess } from "../../test/support/server-process.ts";
import { findProxy, startProxy } from "../proxies/proxy.ts";
import { Finding } from "../support/finding.ts";
import { runProof } from "../support/run-proof.ts";
import { type Exchange, exchange, type Probe, readExchange, sendBytes } from "./exchange.ts";
import { isKnown } from "./known-deviations.ts";
import { messages } from "./messages.ts";
import { compareHead, compareNotModified, rules } from "./rules.ts";

const runtimes = ["node", "deno", "bun"] as const;
const atOnce = 8;

const methods = ["GET", "HEAD", "POST", "OPTIONS", "DELETE", "PUT", "PATCH"];
const paths = [
  "/",
  "/long",
  "/json",
  "/empty",
  "/redirect",
  "/moved",
  "/staff",
  "/fails",
  "/stream",
  "/events",
  "/visit",
  "/created",
  "/nowhere",
];
const past = "Mon, 01 Jan 2024 00:00:00 GMT";
const headerSets: readonly Readonly<Record<string, string>>[] = [
  {},
  { "Accept-Encoding": "gzip, br" },
  { Range: "bytes=0-2" },
  { Range: "bytes=900000-" },
  { "If-Match": "*" },
  { "If-None-Match": "*" },
  { "If-Modified-Since": past },
  { "If-Range": past, Range: "bytes=0-2" },
  { Connection: "close" },
  { Origin: "https://app.example", "Access-Control-Request-Method": "POST" },
  { Accept: "application/xml" },
  { "Upgrade-Insecure-Requests": "1", "Early-Data": "1" },
  { Expect: "100-continue" },
];

await runProof("http-conformance", { runtime: "string" }, async (proof, options) => {
  const nginx = findProxy("nginx");
  if (nginx === undefined) proof.addDetails({ leftOut: "nginx: not installed" });
  else proof.addVersion("nginx", nginx);
  const chosen = probes().filter((_, at) => !proof.isQuick || at % 4 === 0);
  for (const runtime of readChoices("--runtime", options.runtime, runtimes)) {
    const server = await startServerProcess("proof/http-conformance/listen.ts", runtime);
    const port = Number(new URL(server.url).port);
    try {
      const add = (place: string, findings: readonly Finding[]): void => {
        for (const finding of findings) proof.addFinding(finding, place);
      };
      add(runtime, await tryServer(port, runtime, chosen));
      if (nginx === undefined) continue;
      const proxy = await startProxy("nginx", [port]);
      try {
        add(`${runtime}, nginx`, await tryServer(proxy.port, `${runtime}, nginx`, chosen));
      } finally {
        await proxy.stop();
      }
    } finally {
      await server.stop();
    }
  }
});

/** Every combination of method, path, headers and version. */
function probes(): Probe[] {
  return methods.flatMap((method) =>
    paths.flatMap((path) =>
      headerSets.flatMap((headers, at): Probe[] => {
        const versions = at < 2 ? (["1.1", "1.0"] as const) : (["1.1"] as const);
        return versions.map((version) => ({ method, path, headers, version }));
      }),
    ),
  );
}

async function tryServer(
  port: number,
  place: string,
  chosen: readonly Probe[],
): Promise<Finding[]> {
  const responses = new Finding("rules of responses");
  const malformed = new Finding("malformed and unusual messages");
  const pairs = new Finding("HEAD and 304 compared with GET");
  const report = (finding: Finding, rule: string, fault: string, input: string): void => {
    if (isKnown(place, rule, fault)) finding.count("known deviations");
    else finding.fault(`${rule}: ${fault}`.slice(0, 160), input);
  };
  await each(chosen, async (probe) => {
    const { method, path, headers, version } = probe;
    const input = `${method} ${path} HTTP/${version} ${JSON.stringify(headers)}`;
    responses.tried += 1;
    const hasBody = ["POST", "PUT", "PATCH"].includes(method);
    const lengths = hasBody ? { "Content-Type": "application/json", "Content-Length": "2" } : {};
    const sent = { ...probe, headers: { ...headers, ...lengths } };
    const found = await exchange(port, sent, hasBody ? "{}" : "");
    if (found === undefined) {
      report(responses, "a response", "none", input);
      return;
    }
    responses.count(`status ${found.status}`);
    for (const [rule, check] of Object.entries(rules)) {
      const fault = check(found);
      if (fault !== undefined) report(responses, rule, fault, input);
    }
  });
  await each(paths, async (path) => {
    const get = await exchange(port, { method: "GET", path, headers: {}, version: "1.1" });
    const head = await exchange(port, { method: "HEAD", path, headers: {}, version: "1.1" });
    if (get === undefined || head === undefined) return;
    pairs.tried += 1;
    const fault = compareHead(get, head) ?? (await compareConditional(port, path, get));
    if (fault !== undefined) report(pairs, "HEAD and 304", fault, path);
  });
  await each(messages, async ({ title, bytes, statuses, isUnframed = false }) => {
    malformed.tried += 1;
    const { text, isClosed } = await sendBytes(port, bytes);
    const probe: Probe = { method: "GET", path: "/", headers: {}, version: "1.1" };
    const found = readExchange(probe, text, isClosed);
    const status = found?.status ?? (text === "" && isClosed ? 0 : -1);
    malformed.count(`status ${status}`);
    if (!statuses.includes(status))
      report(malformed, title, `status ${status}`, bytes.slice(0, 80));
    // The end of the message is unknown: its rest would be read as the next request.
    if (isUnframed && status === 400 && !isClosed)
      report(malformed, title, "stays open after 400", "");
  });
  return [responses, pairs, malformed];
}

async function compareConditional(
  port: number,
  path: string,
  get: Exchange,
): Promise<string | undefined> {
  const etag = /^etag: *(.*)$/im.exec(get.lines.join("\n"))?.[1];
  if (etag === undefined) return undefined;
  const headers = { "If-None-Match": etag };
  const found = await exchange(port, { method: "GET", path, headers, version: "1.1" });
  return found === undefined ? "no response" : compareNotModified(get, found);
}

/** Runs work for each item, several at once. */
async function each<Item>(items: readonly Item[], work: (item: Item) => Promise<void>) {
  const waiting = [...items];
  const run = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: atOnce }, run));
}
