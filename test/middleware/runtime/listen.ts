import { app } from "./application.ts";

const { url } = await app.listen({ port: 0 });
console.log(`listening ${url}`);
