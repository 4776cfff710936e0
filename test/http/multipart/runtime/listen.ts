import { createMultipartApplication } from "./application.ts";

const { url } = await createMultipartApplication().listen({ port: 0 });
console.log(`listening ${url}`);
