import { createLinkShortener } from "./app.ts";
import { Links } from "./links.ts";
import { MemoryNamespace } from "./memory-namespace.ts";

const app = createLinkShortener();
app.singleton("links", ({ resolve }) => new Links(new MemoryNamespace(), resolve("clock")));
const { url } = await app.listen();
app.logger.info(`Link shortener is listening on ${url}`);
