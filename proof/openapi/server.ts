import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBookshelf } from "../../examples/bookshelf/app.ts";
import { librarian } from "../../examples/bookshelf/seed-data.ts";
import { createHelpdesk } from "../../examples/helpdesk/app.ts";
import { oneProcess } from "../../examples/helpdesk/node/one-process.ts";
import { createConduit } from "../../examples/realworld/app.ts";
import { SqliteProvider } from "../../examples/realworld/database/sqlite-provider.ts";
import { Application, type ApplicationOptions } from "../../src/index.ts";
import { gardenersToken, plantOrchard } from "../../test/openapi/support/orchard.ts";

/** An application with the token of a user who may do everything. */
interface Subject {
  readonly app: Application;
  readonly token: string;
}

const logger = { debug() {}, info() {}, warn: console.warn, error: console.error };
const options: ApplicationOptions = { logger };

async function send(app: Application, path: string, body: object): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  const response = await app.request(path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

const subjects: Readonly<Record<string, () => Promise<Subject>>> = {
  async orchard() {
    const app = plantOrchard(new Application(options));
    app.exposeOpenApi("/openapi.json", { exact: true });
    return { app, token: gardenersToken };
  },
  async bookshelf() {
    const password = "a long pass phrase";
    process.env["BOOKSHELF_LIBRARIAN_PASSWORD"] = password;
    process.env["RATE_LIMITS"] = "off";
    const app = createBookshelf(options);
    const { email } = librarian;
    const { data } = (await send(app, "/api/v1/log-in", { email, password })) as {
      data: { token: string };
    };
    return { app, token: data.token };
  },
  async realworld() {
    const app = createConduit(options);
    const migrations = new URL(`file://${process.argv[3]}/examples/realworld/migrations/`);
    app.registerProvider(new SqliteProvider(":memory:", migrations));
    const user = {
      username: "reader",
      email: "reader@example.org",
      password: "a long pass phrase",
    };
    const joined = (await send(app, "/api/users", { user })) as { user: { token: string } };
    return { app, token: joined.user.token };
  },
  async helpdesk() {
    process.env["HELPDESK_USER_LIMIT"] = "1000000";
    const folder = mkdtempSync(join(tmpdir(), "espalier-helpdesk-"));
    const migrations = new URL(`file://${process.argv[3]}/examples/helpdesk/migrations/`);
    const app = createHelpdesk(oneProcess({ database: ":memory:", folder, migrations }), options);
    await app.boot();
    const email = "reader@example.org";
    const password = "a long pass phrase";
    const account = { email, name: "Reader", password };
    await send(app, "/api/organisations", { slug: "reader", organisation: "Readers", ...account });
    const { data } = (await send(app, "/api/reader/sign-in", { email, password })) as {
      data: { accessToken: string };
    };
    return { app, token: data.accessToken };
  },
};

const subject = await subjects[process.argv[2] ?? "orchard"]?.();
if (subject === undefined) throw new Error(`Unknown application "${process.argv[2]}".`);
const { url } = await subject.app.listen({ port: 0, host: "127.0.0.1", gracefulSignals: false });
console.log(`listening ${url} ${subject.token}`);
