import { createStreaming } from "../../examples/streaming/app.ts";

const logger = { debug() {}, info() {}, warn: console.warn, error: console.error };
const { url } = await createStreaming({ host: "127.0.0.1", logger }).listen({ port: 0 });
console.log(`listening ${url}`);
