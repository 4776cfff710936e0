import { expectTypeOf } from "vitest";
import type { EventBus } from "../../../src/events/event-bus.ts";
import type { EventDetails } from "../../../src/events/event-types.ts";
import type { RequestCompleted } from "../../../src/events/framework-events.ts";
import "./register.ts";

declare const bus: EventBus;

interface User {
  readonly name: string;
}

// Declared events.
expectTypeOf(
  bus.on("typed.created", (payload, event) => {
    expectTypeOf(payload).toEqualTypeOf<{ readonly id: string }>();
    expectTypeOf(event).toEqualTypeOf<EventDetails>();
  }),
).toEqualTypeOf<() => void>();
bus.once("typed.created", async ({ id }) => id);
expectTypeOf(bus.emit("typed.created", { id: "1" })).toEqualTypeOf<Promise<void>>();
bus.emitSync("typed.created", { id: "1" });
bus.emitSync("typed.tick");
// @ts-expect-error the payload is missing
bus.emit("typed.created");
// @ts-expect-error the payload is another
bus.emit("typed.created", { id: 1 });
// @ts-expect-error the payload is another
bus.emitSync("typed.created", { name: "a" });
// @ts-expect-error the handler takes another payload
bus.on("typed.created", (payload: { id: number }) => payload);

// The framework's own events.
bus.on("request.completed", (payload) => {
  expectTypeOf(payload).toEqualTypeOf<RequestCompleted>();
});
bus.on("cache.miss", ({ key, namespace }) => {
  expectTypeOf(key).toEqualTypeOf<string>();
  expectTypeOf(namespace).toEqualTypeOf<readonly string[]>();
});
// @ts-expect-error the payload is another
bus.emit("cache.miss", { name: "a" });

// Other names are allowed, with any payload.
bus.on("user.created", (payload) => expectTypeOf(payload).toEqualTypeOf<unknown>());
bus.on("user.created", async (user: User) => user.name);
bus.on("*", (payload, { name }) => [payload, name]);
bus.emit("user.created", { name: "Rosa" });
bus.emit("metrics.tick");
declare const name: string;
bus.emit(name, 1);
bus.on(name, (payload) => payload);

const handler = async (user: User): Promise<string> => user.name;
bus.on("user.created", handler);
bus.off("user.created", handler);
bus.off("user.created");
// @ts-expect-error a handler is a function
bus.on("user.created", {});
