import { createBrowserApplication } from "./application.ts";

const app = createBrowserApplication(process.env["PAGE_ORIGIN"] ?? "");
const { url } = await app.listen({ port: 0, host: "::" });
console.log(`listening ${url}`);
