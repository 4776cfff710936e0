import { createFailingBodies } from "./failing-bodies.ts";

const { url } = await createFailingBodies().listen({ port: 0, stopTimeoutMs: 3_000 });
console.log(`listening ${url}`);
