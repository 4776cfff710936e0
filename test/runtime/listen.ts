import { createRuntimeApplication } from "./application.ts";

const { url } = await createRuntimeApplication().listen({ port: 0 });
console.log(`listening ${url}`);
