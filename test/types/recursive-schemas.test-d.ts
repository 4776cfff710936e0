import { type } from "arktype";
import { Application, json } from "espalier";
import { expectTypeOf } from "vitest";
import { z } from "zod";

// Schemas that contain themselves must not make the compiler instantiate types without end.
const zodComment = z.object({
  text: z.string(),
  get replies() {
    return z.array(zodComment);
  },
});
const arkComment = type({ text: "string", replies: "this[]" });

const router = new Application().getRouter();

router.post(
  "/zod",
  (ctx) => {
    expectTypeOf(ctx.validated.body.text).toEqualTypeOf<string>();
    return json(1);
  },
  { middleware: ["auth"], body: zodComment },
);

router.post(
  "/arktype",
  (ctx) => {
    expectTypeOf(ctx.validated.body.text).toEqualTypeOf<string>();
    return json(1);
  },
  { middleware: [async (_ctx, next) => next()], validation: { body: arkComment } },
);

for (const schema of [zodComment, arkComment] as const) {
  router
    .post("/of-both", () => json(1), { middleware: ["auth"], validation: { body: schema } })
    .get("/of-both", () => json(1), { middleware: ["auth"], responses: { 200: { schema } } });
}
