import { createLinkShortener } from "../../examples/link-shortener/app.ts";
import { Links } from "../../examples/link-shortener/links.ts";
import { MemoryNamespace } from "../../examples/link-shortener/memory-namespace.ts";

const app = createLinkShortener({ host: "127.0.0.1" });
app.singleton("links", ({ resolve }) => new Links(new MemoryNamespace(), resolve("clock")));
const { url } = await app.listen({ port: 0 });
console.log(`listening ${url}`);
