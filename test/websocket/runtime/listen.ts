import { createSocketApplication } from "./application.ts";

const { url } = await createSocketApplication().listen({ port: 0, host: "127.0.0.1" });
console.log(`listening ${url}`);
