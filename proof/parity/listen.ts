import { createParityApplication } from "./application.ts";

const { url } = await createParityApplication().listen({ port: 0 });
console.log(`listening ${url}`);
