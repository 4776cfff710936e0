import { Agent, request } from "node:http";
import { Finding } from "../support/finding.ts";
import type { Target } from "./target.ts";

/** Sends concurrent requests of many clients: ids, users, parameters, state and cookies are isolated. */
export async function proveIsolation(
  target: Target,
  { requests, atOnce = 100 }: { readonly requests: number; readonly atOnce?: number },
): Promise<Finding> {
  const finding = new Finding(`isolation, ${atOnce} at once`);
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const ask = (id: number): Promise<string> =>
    new Promise((resolve, reject) => {
      const headers = { "x-request-id": `r${id}`, "x-test-user": `u${id}`, cookie: `who=c${id}` };
      const options = { host: "127.0.0.1", port: target.port, agent, headers };
      const sent = request({ ...options, path: `/wait/${id}?id=q${id}` }, (response) => {
        let body = "";
        response.on("data", (chunk) => {
          body += chunk;
        });
        response.on("end", () => resolve(body));
      });
      sent.on("error", reject);
      sent.end();
    });
  const client = async (): Promise<void> => {
    while (finding.tried < requests) {
      const id = finding.tried;
      finding.tried += 1;
      const expected = JSON.stringify([
        `${id}`,
        `r${id}`,
        `u${id}`,
        `${id}`,
        `${id}`,
        `c${id}`,
        `q${id}`,
      ]);
      const given = await ask(id).catch(String);
      finding.check(
        given === expected,
        "another's facts",
        `${expected} got ${given.slice(0, 200)}`,
      );
      // Drains the log.
      if (id % 500 === 0) target.takeLines();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  agent.destroy();
  return finding;
}
