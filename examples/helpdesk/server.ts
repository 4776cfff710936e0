import { createHelpdesk } from "./app.ts";
import { manyProcesses } from "./node/many-processes.ts";
import { oneProcess } from "./node/one-process.ts";

const {
  PORT = "3000",
  HOST = "localhost",
  PROXIES = "0",
  DATABASE_URL,
  REDIS_URL,
  HELPDESK_DATABASE = "helpdesk.sqlite",
  HELPDESK_FILES: folder = "helpdesk-files",
  HELPDESK_DIGEST,
} = process.env;

if ((DATABASE_URL === undefined) !== (REDIS_URL === undefined)) {
  throw new Error("Set both DATABASE_URL and REDIS_URL, or neither for a single process.");
}
const platform =
  DATABASE_URL === undefined || REDIS_URL === undefined
    ? oneProcess({
        database: HELPDESK_DATABASE,
        folder,
        migrations: new URL("migrations/", import.meta.url),
      })
    : manyProcesses({ databaseUrl: DATABASE_URL, redisUrl: REDIS_URL, folder });
// Behind a proxy, the address of the client is in a header that the proxy sets.
const app = createHelpdesk(platform, {
  trustProxy: Number(PROXIES),
  digestCron: HELPDESK_DIGEST,
});
const { url } = await app.listen({ port: Number(PORT), host: HOST });
app.logger.info(`Helpdesk is listening on ${url}`);
