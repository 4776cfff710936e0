import { Random } from "../../test/support/random.ts";
import { Finding } from "../support/finding.ts";
import { findLeak } from "./canaries.ts";
import { type Conversation, converse, requestBytes, type Sent } from "./converse.ts";
import { type Framing, makeFramings } from "./framings.ts";
import { isAlive } from "./prove-requests.ts";
import type { Target } from "./target.ts";
import { type Answer, headerOf } from "./wire.ts";

/**
 * Sends bodies with ambiguous lengths, followed by a harmless request (request smuggling). However the
 * server interprets them, that request gets its own response or none, and the content of a body is
 * never treated as a request.
 */
export async function proveFramings(
  target: Target,
  { cases, seed }: { readonly cases: number; readonly seed: number },
): Promise<Finding> {
  const finding = new Finding(`framings, seed ${seed}`);
  const random = new Random(seed);
  const framings = makeFramings(random, cases);
  const smuggled = "GET /path/smuggled HTTP/1.1\r\nHost: a\r\nX-Request-Id: smuggled\r\n\r\n";
  const ask = async (framing: Framing, index: number): Promise<void> => {
    const path = random.pick(["/echo", "/unread", "/raw", "/create", "/nowhere"]);
    const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nX-Request-Id: odd${index}\r\n`;
    const type = random.chance(0.8) ? "Content-Type: application/json\r\n" : "";
    const odd: Sent = {
      method: "POST",
      bytes: Buffer.from(`${head}${type}${framing.headers}\r\n${framing.body}`, "latin1"),
    };
    const behind = requestBytes("GET", "/path/behind", [["X-Request-Id", `behind${index}`]]);
    const conversation = await converse(target.port, [odd, behind], { timeoutMs: 1_500 });
    judge(finding, framing, index, conversation);
    finding.tried += 1;
  };
  for (let start = 0; start < framings.length; start += 25) {
    await Promise.all(
      framings.slice(start, start + 25).map((one, index) => ask(one, start + index)),
    );
  }
  const inside = requestBytes("POST", "/unread", [["X-Request-Id", "inside"]], smuggled);
  const next = requestBytes("GET", "/path/next", [["X-Request-Id", "next"]]);
  const { answers } = await converse(target.port, [inside, next]);
  const ids = answers.map((answer) => headerOf(answer, "x-request-id")).join();
  finding.check(ids === "inside,next", "a request inside a body was executed", ids);
  finding.check(!target.hasEnded(), "the process exited", "");
  await isAlive(target, finding);
  return finding;
}

function judge(
  finding: Finding,
  framing: Framing,
  index: number,
  { answers, end, problem }: Conversation,
): void {
  const input = JSON.stringify(framing).slice(0, 400);
  const expected = [`odd${index}`, `behind${index}`];
  for (const [at, answer] of answers.entries()) {
    const id = headerOf(answer, "x-request-id");
    if (id !== undefined && id !== expected[at]) finding.fault("another request's answer", input);
    const isOfTheServer = id === undefined && answer.status === 501;
    if (answer.status >= 500 && !isOfTheServer) finding.fault(`an unmeant ${answer.status}`, input);
    if (findLeak(answer.body.toString()) !== undefined) finding.fault("a leak", input);
  }
  if (problem !== undefined) finding.fault(problem, input);
  const odd = answers[0];
  if (end === "answered")
    finding.count(statusOf(odd) < 400 ? "read" : "rejected by the application");
  else if (end === "late") finding.count("waiting for more bytes");
  else finding.count(odd === undefined ? "closed" : "rejected by the server");
  // Waiting is correct only if the framing announces more bytes.
  if (end === "late" && !mayAwaitMore(framing)) finding.fault("no response in time", input);
}

const statusOf = (answer: Answer | undefined): number => answer?.status ?? 0;

function mayAwaitMore({ headers, body }: Framing): boolean {
  const lengths = [...headers.matchAll(/^content-length: *(\d+)/gim)].map(([, digits]) =>
    Number(digits),
  );
  if (/^f{16}/.test(body)) return true;
  const isLonger = lengths.some((length) => length > body.length);
  const hasChunks = /chunked/i.test(headers);
  const isWhole = /^0*[0-9a-f]+[^\r\n]*\r\n.*\r\n0\r\n.*\r\n$/is.test(body);
  return (
    isLonger ||
    (hasChunks && !isWhole) ||
    /[^\r]\n|\r[^\n]/.test(headers + body) ||
    headers.endsWith("\r")
  );
}
