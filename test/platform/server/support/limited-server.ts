import { Application, json, text } from "espalier";

const app = new Application({ host: "127.0.0.1" });
app.getRouter().get("/", () => text("ready"));
app.getRouter().post("/", (ctx) => json(ctx.body ?? null));

const options = JSON.parse(globalThis.process.env["LISTEN_OPTIONS"] ?? "{}");
const { url } = await app.listen({ port: 0, ...options });
console.log(`listening ${url}`);
