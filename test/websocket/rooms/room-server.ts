import { createRequire } from "node:module";
import { RedisBroadcastAdapter } from "espalier/redis";
import { createRoomApplication } from "./room-application.ts";

// Not bundled: it requires modules of Node.
const load = createRequire(process.env["PACKAGE_JSON"] ?? "");
const { Redis } = load("ioredis") as typeof import("ioredis");
const client = new Redis(process.env["REDIS_URL"] ?? "", { maxRetriesPerRequest: 1 });
client.on("error", () => {});
const app = createRoomApplication(new RedisBroadcastAdapter({ client }));
const { url } = await app.listen({ port: 0, host: "127.0.0.1" });
console.log(`listening ${url}`);
