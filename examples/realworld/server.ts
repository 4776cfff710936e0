import { createConduit } from "./app.ts";
import { SqliteProvider } from "./database/sqlite-provider.ts";

const app = createConduit();
const path = process.env["CONDUIT_DATABASE"] ?? "conduit.sqlite";
app.registerProvider(new SqliteProvider(path, new URL("migrations/", import.meta.url)));
const { url } = await app.listen();
app.logger.info(`Conduit is listening on ${url}api`);
