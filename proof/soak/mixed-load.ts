import { Agent } from "node:http";
import { exchange, type SentRequest } from "../support/exchange.ts";

/** A request and its expected response. */
interface Expected extends SentRequest {
  readonly status: number;
  readonly contains: string;
}

const json = { "content-type": "application/json" };

function requestOf(number: number): Expected {
  const kinds: readonly Expected[] = [
    { method: "GET", path: `/path/${number}`, status: 200, contains: `"${number}"` },
    { method: "GET", path: `/two/a${number}/b`, status: 200, contains: `"a":"a${number}"` },
    { method: "GET", path: `/query?a=${number}&b=2`, status: 200, contains: `["a","${number}"]` },
    { method: "GET", path: `/search?q=${number}`, status: 200, contains: `"q":"${number}"` },
    { method: "GET", path: "/search?page=x", status: 422, contains: "page must be" },
    { method: "GET", path: `/nowhere/${number}`, status: 404, contains: "Not Found" },
    { method: "GET", path: "/mine", status: 401, contains: "Unauthorized" },
    { method: "GET", path: "/fails/error", status: 500, contains: "An unexpected error occurred." },
    { method: "GET", path: "/stream", status: 200, contains: "piece 4" },
    {
      method: "GET",
      path: "/long",
      headers: { "accept-encoding": "gzip" },
      status: 200,
      contains: "",
    },
    { method: "DELETE", path: "/echo", status: 405, contains: "Method Not Allowed" },
    {
      method: "POST",
      path: "/echo",
      headers: json,
      body: `[${number}]`,
      status: 200,
      contains: `[${number}]`,
    },
    {
      method: "POST",
      path: "/echo",
      headers: json,
      body: `[${number}`,
      status: 400,
      contains: "not valid JSON",
    },
    {
      method: "POST",
      path: "/create",
      headers: json,
      body: `{"name":"n${number}"}`,
      status: 201,
      contains: `n${number}`,
    },
    {
      method: "POST",
      path: "/echo",
      headers: json,
      body: " ".repeat(21_000),
      status: 413,
      contains: "larger",
    },
    {
      method: "PUT",
      path: `/session/a${number % 50}`,
      headers: json,
      body: `[${number}]`,
      status: 200,
      contains: `${number}`,
    },
    {
      method: "PUT",
      path: "/cache",
      headers: json,
      body: `{"key":"k${number % 1_000}","value":{"number":${number}}}`,
      status: 200,
      contains: `"number":`,
    },
  ];
  const kind = kinds[number % kinds.length];
  if (kind === undefined) throw new Error("The list of requests is empty.");
  return kind;
}

/** Counters of a load. */
export interface LoadCounts {
  requests: number;
  readonly faults: Map<string, number>;
}

/** Sends requests of every kind over persistent connections until the time is over. */
export async function mixedLoad(
  port: number,
  { connections, endsAtMs, counts }: { connections: number; endsAtMs: number; counts: LoadCounts },
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const client = async (): Promise<void> => {
    while (Date.now() < endsAtMs) {
      const expected = requestOf(counts.requests++);
      const fault = await ask(port, agent, expected).catch(String);
      if (fault === undefined) continue;
      const kind = `${expected.method} ${expected.path.replace(/\d+/g, "N")}: ${fault}`;
      counts.faults.set(kind, (counts.faults.get(kind) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  agent.destroy();
}

async function ask(port: number, agent: Agent, expected: Expected): Promise<string | undefined> {
  const { status, body } = await exchange(port, agent, expected);
  if (status !== expected.status) return `status ${status}`;
  return body.includes(expected.contains) ? undefined : `body ${body.slice(0, 80)}`;
}
