import type { Application, BroadcastDetails } from "espalier";
import { expectTypeOf } from "vitest";
import "./register.ts";

declare const app: Application;

app.onBroadcast("typed.moved", (payload, details) => {
  expectTypeOf(payload).toEqualTypeOf<{ readonly at: string }>();
  expectTypeOf(details).toEqualTypeOf<BroadcastDetails>();
});
app.onBroadcast("plugin.reload", ({ name }) => expectTypeOf(name).toEqualTypeOf<string>());
expectTypeOf(app.broadcast("typed.moved", { at: new Date() })).toEqualTypeOf<Promise<void>>();
app.broadcast("typed.cleared");
app.broadcast("plugin.reload", { name: "a" });
// @ts-expect-error the payload is missing
app.broadcast("typed.moved");
// @ts-expect-error the payload is another
app.broadcast("typed.moved", { at: 1 });
// @ts-expect-error the name is not declared
app.broadcast("typed.mvoed", { at: new Date() });
// @ts-expect-error the name is not declared
app.onBroadcast("typed.mvoed", () => {});
// @ts-expect-error the handler takes another payload
app.onBroadcast("typed.moved", (payload: { at: Date }) => payload);
