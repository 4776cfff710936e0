import { Application, json } from "espalier";

const lines: unknown[] = [];
const ignore = (): void => {};
const logger = {
  debug: ignore,
  info: ignore,
  warn: (record: unknown) => void lines.push((record as { message: string }).message),
  error: ignore,
};
const app = new Application({ kv: "BOOKS", logger });
app.getRouter().get("/", async () => {
  await app.cacheSet("a", 1);
  await app.cacheGet("a");
  return json(lines);
});

export default app.worker();
