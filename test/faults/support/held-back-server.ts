import { createPausingStreams } from "./held-back.ts";

const { url } = await createPausingStreams().listen({ port: 0 });
console.log(`listening ${url}`);
