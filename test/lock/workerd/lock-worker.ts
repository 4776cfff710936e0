import { Application, json } from "espalier";
import { DurableObjectLockStore, type ObjectNamespace } from "espalier/cloudflare";

export { LockDurableObject } from "espalier/cloudflare";

/** Calls of the store, and a lock of the application, as requests. */
const app = new Application();
const router = app.getRouter();
const bindings = (): { readonly LOCK: ObjectNamespace; readonly OTHER: ObjectNamespace } =>
  app.env as never;
app.useLockStore(new DurableObjectLockStore({ namespace: () => bindings().LOCK }));

router.get("/:call/:name/:owner/:ttlMs", async (ctx) => {
  const { call, name = "", owner = "", ttlMs } = ctx.params;
  const env = ctx.env as unknown as { readonly LOCK: ObjectNamespace };
  const store = new DurableObjectLockStore({ namespace: env.LOCK });
  if (call === "acquire") return json((await store.acquire(name, owner, Number(ttlMs))) ?? null);
  if (call === "renew") return json(await store.renew(name, owner, Number(ttlMs)));
  return json(await store.release(name, owner));
});
router.get("/race/:name", async (ctx) => {
  const locks = await Promise.all(
    Array.from({ length: 20 }, () => ctx.app.lock(ctx.params["name"] ?? "")),
  );
  const held = locks.filter((lock) => lock !== undefined);
  const tokens = held.map(({ fencingToken }) => fencingToken);
  await Promise.all(held.map((lock) => lock.release()));
  return json(tokens);
});

export default app.worker();
