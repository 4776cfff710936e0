import { createAuthApplication } from "./application.ts";

const { url } = await createAuthApplication().listen({ port: 0 });
console.log(`listening ${url}`);
