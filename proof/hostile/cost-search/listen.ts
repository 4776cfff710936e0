import { createSearchApplication } from "./application.ts";

const { url } = await createSearchApplication().listen({ port: 0 });
console.log(`listening ${url}`);
