import { createApp } from "./app.ts";

const app = createApp();
const { url } = await app.listen({
  port: Number(process.env.PORT ?? 3000),
  host: process.env.HOST ?? "localhost",
});
app.logger.info(`Listening on ${url}`);
