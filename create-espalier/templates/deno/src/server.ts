import { createApp } from "./app.ts";

const app = createApp();
const { url } = await app.listen({
  port: Number(Deno.env.get("PORT") ?? 3000),
  host: Deno.env.get("HOST") ?? "localhost",
});
app.logger.info(`Listening on ${url}`);
