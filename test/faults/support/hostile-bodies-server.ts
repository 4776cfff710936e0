import { createHostileBodies } from "./hostile-bodies.ts";

const { url } = await createHostileBodies().listen({ port: 0 });
console.log(`listening ${url}`);
