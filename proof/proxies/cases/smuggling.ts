import { Random } from "../../../test/support/random.ts";
import { converse, requestBytes } from "../../hostile/converse.ts";
import { makeFramings } from "../../hostile/framings.ts";
import { Finding } from "../../support/finding.ts";
import type { RunningProxy } from "../proxy.ts";
import { readCounts } from "../request.ts";

/** A request that stands in a body. */
const smuggled = "GET /smuggled HTTP/1.1\r\nHost: a\r\nX-Pad: ";

export interface SmugglingOptions {
  /** Port of the server behind the proxy. */
  readonly serverPort: number;
  readonly cases: number;
  readonly seed: number;
}

/**
 * Sends bodies whose end two readers could see at two places, with a request inside. The server must not
 * read it as a request, and the requests behind must get their own responses.
 */
export async function proveSmuggling(
  { port }: RunningProxy,
  { serverPort, cases, seed }: SmugglingOptions,
): Promise<Finding> {
  const finding = new Finding(`bodies with a smuggled request, seed ${seed}`);
  const shapes = makeShapes(new Random(seed), cases);
  for (let start = 0; start < shapes.length; start += 25) {
    const some = shapes.slice(start, start + 25);
    await Promise.all(some.map((shape, at) => ask(port, shape, start + at, finding)));
  }
  const count = (await readCounts(serverPort)).smuggled;
  finding.check(count === 0, "requests in a body have reached their route", String(count));
  return finding;
}

/** Heads of every odd framing, each with the smuggled request in, behind and instead of its body. */
function makeShapes(random: Random, count: number): string[] {
  const versions = ["1.1", "1.1", "1.1", "1.0"];
  return makeFramings(random, count).map(({ headers, body }, at) => {
    const chunk = `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`;
    const bodies = [body + smuggled, `0\r\n\r\n${smuggled}`, chunk, smuggled];
    const length = random.chance(0.3) ? `Content-Length: ${5 + smuggled.length}\r\n` : "";
    const start = `POST /post/${at} HTTP/${random.pick(versions)}\r\nHost: a\r\n`;
    return `${start}Content-Type: application/json\r\n${length}${headers}\r\n${random.pick(bodies)}`;
  });
}

async function ask(port: number, shape: string, at: number, finding: Finding): Promise<void> {
  const odd = { method: "POST", bytes: Buffer.from(shape, "latin1") };
  const { answers } = await converse(port, [odd], { timeoutMs: 500, endsStream: false });
  finding.tried += 1;
  finding.count(answers[0] === undefined ? "closed or waiting" : `status ${answers[0].status}`);
  // Over a connection of its own, which the proxy may send over the same connection to the server.
  const next = await converse(port, [requestBytes("GET", `/get/${at}`, [])], { timeoutMs: 5_000 });
  const body = next.answers[0]?.body.toString();
  const input = JSON.stringify(shape).slice(0, 400);
  finding.check(body === `get ${at}`, "the next request got another response", `${body}: ${input}`);
}
