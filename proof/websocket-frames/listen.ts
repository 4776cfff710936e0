import { createEchoApplication } from "./application.ts";

const { url } = await createEchoApplication().listen({ port: 0 });
console.log(`listening ${url}`);
