import { Application, json } from "espalier";

const app = new Application();
app.getRouter().get("/remember/:n", async (ctx) => {
  const value = await ctx.app.cacheRemember(
    `n${ctx.params.n}`,
    async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return { n: Number(ctx.params.n) };
    },
    60_000,
  );
  return json(value);
});

export default app.worker();
