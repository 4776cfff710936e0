import { Application, type FromJson, type Jsonify } from "espalier";
import { expectTypeOf } from "vitest";

const app = new Application();

interface Tree {
  readonly name: string;
  readonly children: readonly Tree[];
}
interface Shelf {
  title: string;
  tags: string[];
}

expectTypeOf<Jsonify<Date>>().toEqualTypeOf<string>();
expectTypeOf<
  Jsonify<{ at: Date; 1: 1; print(): void; list: (Date | null)[]; inner: { at?: Date } }>
>().toEqualTypeOf<{ at: string; 1: 1; list: (string | null)[]; inner: { at?: string } }>();
expectTypeOf<Jsonify<(number | undefined)[]>>().toEqualTypeOf<(number | null)[]>();
expectTypeOf<Jsonify<[Date, 1]>>().toEqualTypeOf<[string, 1]>();
expectTypeOf<Jsonify<Map<string, number>>>().toEqualTypeOf<Record<never, never>>();
expectTypeOf<Jsonify<bigint>>().toEqualTypeOf<never>();
expectTypeOf<Jsonify<unknown>>().toEqualTypeOf<unknown>();
expectTypeOf<FromJson<Shelf>>().toEqualTypeOf<Shelf>();
expectTypeOf<FromJson<Tree>>().toEqualTypeOf<Tree>();
expectTypeOf<FromJson<unknown>>().toEqualTypeOf<unknown>();

// A cached value and a job's payload have been through JSON.
const cached = await app.cacheRemember("key", () => ({ at: new Date() }));
expectTypeOf(cached).toEqualTypeOf<{ at: string }>();
const shelf = await app.cache.remember(
  "shelf",
  async (): Promise<Shelf> => ({ title: "", tags: [] }),
);
expectTypeOf(shelf).toEqualTypeOf<Shelf>();
app.getQueue().process("book.added", ({ payload }) => {
  expectTypeOf(payload).toEqualTypeOf<{ readonly id: string; readonly at: string }>();
});
await app.getQueue().enqueue("book.added", { id: "1", at: new Date() });
// @ts-expect-error the payload has a date
await app.getQueue().enqueue("book.added", { id: "1", at: "2026-01-01" });
