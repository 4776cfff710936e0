import { createProxy } from "./proxy.ts";

const { url } = await createProxy().listen({ port: 0 });
console.log(`listening ${url}`);
