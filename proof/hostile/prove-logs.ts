import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "../../test/support/random.ts";
import { Finding } from "../support/finding.ts";
import { type ConverseOptions, converse, requestBytes } from "./converse.ts";
import type { Target } from "./target.ts";

type Headers = (readonly [string, string])[];
interface Made {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body?: string;
}

const json: Headers = [["Content-Type", "application/json"]];
const form: Headers = [["Content-Type", "application/x-www-form-urlencoded"]];
const multipart: Headers = [["Content-Type", "multipart/form-data; boundary=x"]];
const get = (path: string, headers: Headers = []): Made => ({ method: "GET", path, headers });
const post = (path: string, headers: Headers, body: string): Made => ({
  method: "POST",
  path,
  headers,
  body,
});
const part = (name: string, text: string): string =>
  `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n--x--\r\n`;

/** Places where clients send secrets; `path` is the request's target. */
const places: readonly ((path: string, secret: string) => Made)[] = [
  (path, secret) => get(path, [["Authorization", `Bearer ${secret}`]]),
  (path, secret) =>
    get(path, [
      ["Authorization", `Basic ${Buffer.from(`a:${secret}`).toString("base64")}`],
      ["X-Api-Key", secret],
    ]),
  (path, secret) =>
    get(path, [
      ["Proxy-Authorization", secret],
      ["Cookie", `session=${secret}; who=${secret}`],
    ]),
  (path, secret) => get(`${path}?access_token=${secret}&Pass%77ord=${secret}`),
  (path, secret) => get(path, [["Referer", `https://a.example/reset?token=${secret}`]]),
  (path, secret) => get(path, [["X-Callback", `https://user:${secret}@a.example/`]]),
  (path, secret) =>
    post(path, json, JSON.stringify({ user: { credentials: { password: secret } } })),
  (path, secret) =>
    post(path, json, JSON.stringify([{ apiKey: secret }, { "api-key": secret, token: [secret] }])),
  (path, secret) => post(path, json, JSON.stringify({ note: `Authorization: Bearer ${secret}` })),
  (path, secret) => post(path, form, `password=${secret}&client_secret=${secret}`),
  (path, secret) => post(path, multipart, part("passphrase", secret)),
  (path, secret) => get(`/reset/${secret}${path}`),
];
/** Successful, rejected, failed, unmatched, and with an unknown method. */
const paths = [
  "/echo",
  "/described",
  "/path/x",
  "/query",
  "/fails/error",
  "/nowhere",
  "/mine",
  "/create",
];
const forging = ["%0a%7B%22level%22:%22error%22%7D", "%E2%80%A8", '"},{"'];

/** Sends secrets in twelve places: the log has one JSON line per request, and no secret. */
export async function proveLogs(
  target: Target,
  { requests, seed }: { readonly requests: number; readonly seed: number },
): Promise<Finding> {
  const finding = new Finding("log hygiene");
  const random = new Random(seed);
  const lines: string[] = [];
  const left = new Set<string>();
  await sleep(200);
  target.takeLines();
  const client = async (): Promise<void> => {
    while (finding.tried < requests) {
      const number = finding.tried;
      finding.tried += 1;
      const place = places[number % places.length] ?? ((path: string) => get(path));
      const made = place(random.pick(paths), `cnry${number}${"x".repeat(random.between(8, 40))}`);
      const method = made.method === "GET" && random.chance(0.15) ? "HEAD" : made.method;
      const headers: Headers = [...made.headers, ["X-Request-Id", `log${number}`]];
      if (random.chance(0.2)) headers.push(["User-Agent", random.pick(forging)]);
      const leaves = random.chance(0.05);
      if (leaves) left.add(`log${number}`);
      const options: ConverseOptions = leaves ? { leaveAfterMs: random.between(0, 3) } : {};
      await converse(target.port, [requestBytes(method, made.path, headers, made.body)], options);
      lines.push(...target.takeLines());
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  await sleep(1_000);
  lines.push(...target.takeLines());
  judge(finding, lines, left);
  return finding;
}

function judge(finding: Finding, lines: readonly string[], left: ReadonlySet<string>): void {
  const counts = new Map<string, number>();
  for (const line of lines) {
    finding.check(!line.includes("cnry"), "a secret in the log", line.slice(0, 600));
    let record: { id?: string; durationMs?: number };
    try {
      record = JSON.parse(line);
    } catch {
      finding.fault("a line that is not JSON", line.slice(0, 300));
      continue;
    }
    if (record.durationMs === undefined) finding.count("lines about errors");
    else if (record.id !== undefined) counts.set(record.id, (counts.get(record.id) ?? 0) + 1);
  }
  for (let number = 0; number < finding.tried; number += 1) {
    const id = `log${number}`;
    const count = counts.get(id) ?? 0;
    // The request of a disconnected client may not have arrived.
    const isRight = left.has(id) ? count <= 1 : count === 1;
    finding.check(isRight, "not one line for a request", `${id} has ${count}`);
  }
  finding.count(
    "lines about requests",
    [...counts.values()].reduce((sum, count) => sum + count, 0),
  );
  finding.count("disconnected clients", left.size);
}
