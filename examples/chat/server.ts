import { RedisBroadcastAdapter } from "espalier/redis";
import { Redis } from "ioredis";
import { createChat } from "./app.ts";

const { PORT = "3000", REDIS_URL = "redis://localhost:6379" } = process.env;
const client = new Redis(REDIS_URL, { maxRetriesPerRequest: 1, enableOfflineQueue: false });
const app = createChat({ broadcast: new RedisBroadcastAdapter({ client }), instance: PORT });
client.on("error", (error) => app.logger.warn("Redis is unavailable.", { error: error.message }));
app.registerProvider({ register: () => {}, shutdown: () => client.disconnect() });
const { url } = await app.listen({ port: Number(PORT), host: "127.0.0.1" });
app.logger.info(`Listening at ${url}`);
