import { converse } from "../../hostile/converse.ts";
import { Finding } from "../../support/finding.ts";
import type { RunningProxy } from "../proxy.ts";
import { readCounts } from "../request.ts";

/** Separators and dots in every spelling that some reader takes for them. */
const slashes = ["/", "\\", "%2f", "%5c", "//", "/./", "%252f", "%255c"];
const dots = ["..", "%2e%2e", ".%2E", "%2e.", "..;", ".. ", "%252e%252e", "..%00", "..\t"];
const names = ["admin", "%61dmin", "Admin", "adm%69n", "admin/", "admin%2f", "admin;a", "admin?a"];
const before = ["", "x", "x#", "x?", "x%23", "x\0", "x\x01", "x\x7f", "x%00", "x%0a", "http://a"];

/**
 * The proxy forbids `/admin`, so no spelling of a path may reach it: a target that the proxy and the server
 * read differently gets past such a guard.
 */
export async function provePaths(
  { port }: RunningProxy,
  { serverPort }: { readonly serverPort: number },
): Promise<Finding> {
  const finding = new Finding("spellings of a path that the proxy forbids");
  const targets = makeTargets();
  for (let start = 0; start < targets.length; start += 25) {
    await Promise.all(targets.slice(start, start + 25).map((target) => ask(port, target, finding)));
  }
  const { admin } = await readCounts(serverPort);
  finding.check(admin === 0, "requests have reached /admin", String(admin));
  return finding;
}

function makeTargets(): string[] {
  const targets: string[] = [];
  for (const name of names) {
    for (const slash of slashes) {
      targets.push(`${slash}${name}`, `/${slash}${name}`, `/.${slash}${name}`);
      for (const start of before) {
        for (const dot of dots) targets.push(`/${start}${slash}${dot}${slash}${name}`);
      }
    }
  }
  return [...targets, ...names.map((name) => `http://a/x/../${name}`)];
}

async function ask(port: number, target: string, finding: Finding): Promise<void> {
  const bytes = Buffer.from(
    `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    "latin1",
  );
  const { answers } = await converse(port, [{ method: "GET", bytes }], { timeoutMs: 5_000 });
  finding.tried += 1;
  const [answer] = answers;
  finding.count(answer === undefined ? "closed" : `status ${answer.status}`);
  const isAdmin = answer?.body.toString().includes("of administrators") === true;
  finding.check(!isAdmin, "a spelling got past the proxy's guard", JSON.stringify(target));
  const isOfServer = answer?.status !== undefined && answer.status >= 500;
  finding.check(!isOfServer, `status ${answer?.status}`, JSON.stringify(target));
}
