import { createBookshelf } from "../../examples/bookshelf/app.ts";

process.env.RATE_LIMITS = "off";
const logger = { debug() {}, info() {}, warn: console.warn, error: console.error };
const { url } = await createBookshelf({ host: "127.0.0.1", logger }).listen({ port: 0 });
console.log(`listening ${url}`);
