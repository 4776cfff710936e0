import { MemoryCacheStore } from "espalier";
import { expect, test } from "vitest";
import { createApp } from "../src/app.ts";

test("the list is computed once, then cached", async () => {
  const app = createApp();
  app.useCacheStore(new MemoryCacheStore());
  const events: string[] = [];
  app.on("cache.*", (_payload, { name }) => {
    events.push(name);
  });

  const first = await app.request("/greetings");
  const second = await app.request("/greetings");

  expect(await second.json()).toEqual(await first.json());
  expect(events).toEqual(["cache.miss", "cache.hit"]);
});
