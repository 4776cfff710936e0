import type { BroadcastAdapter } from "../broadcast/broadcast-adapter.ts";
import { assertEqual, assertRejects } from "./assertions.ts";
import type { TestRunner } from "./cache-store-suite.ts";

/** Options of `broadcastAdapterSuite`. */
export interface BroadcastAdapterSuiteOptions extends TestRunner {
  /** Name of the adapter in test titles. */
  readonly name: string;
  /** Returns an adapter of another instance with each call; all of them use the same engine. */
  readonly createAdapter: () => BroadcastAdapter | Promise<BroadcastAdapter>;
  /** How long a test waits for an expected message, in milliseconds; default 10,000. */
  readonly patienceMs?: number;
  /** How long a test waits to confirm that no message arrives, in milliseconds; default 200. */
  readonly quietMs?: number;
  /** Maximum size of a message in bytes, beyond which the adapter refuses it; default: none. */
  readonly limitBytes?: number;
}

/** Time between two checks, in milliseconds. */
const tickMs = 10;

/** Names that an engine could mistake for patterns, paths, quotes or lines. */
const channels: readonly string[] = [
  "news.*",
  "news.[a-z]",
  "a b/c?d#e",
  'it\'s "quoted"',
  "one\ntwo\u0000",
  "ünïcode 🚀",
  "x".repeat(300),
];

/**
 * Tests all guarantees of `BroadcastAdapter`, on any adapter.
 *
 * ```ts
 * import { describe, it } from "vitest";
 * broadcastAdapterSuite({ name: "nats", describe, it, createAdapter: () => new NatsAdapter(url) });
 * ```
 */
export function broadcastAdapterSuite(options: BroadcastAdapterSuiteOptions): void {
  const { patienceMs = 10_000, quietMs = 200 } = options;
  let count = 0;
  const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

  const until = async (condition: () => boolean, what: string): Promise<void> => {
    const endsAt = Date.now() + patienceMs;
    while (!condition()) {
      if (Date.now() > endsAt)
        throw new Error(`Expected ${what} within ${patienceMs} ms; it did not happen.`);
      await wait(tickMs);
    }
  };

  /** Adds a test that gets the adapters of two instances, and a channel of its own. */
  const it = (
    title: string,
    body: (one: BroadcastAdapter, other: BroadcastAdapter, channel: string) => Promise<void>,
  ): void => {
    options.it(title, async () => {
      count += 1;
      const [one, other] = [await options.createAdapter(), await options.createAdapter()];
      try {
        await body(one, other, `suite-${count}-${crypto.randomUUID()}`);
      } finally {
        await Promise.all([one.close?.(), other.close?.()]);
      }
    });
  };

  options.describe(`the broadcast adapter ${options.name}`, () => {
    it("delivers to every subscriber, also on the instance that publishes", async (one, other, channel) => {
      const received: string[][] = [[], [], []];
      const subscribers = [one, other, other];
      for (const [index, adapter] of subscribers.entries()) {
        await adapter.subscribe(channel, (message) => received[index]?.push(message));
      }
      await one.publish(channel, "first");
      await until(() => received.every(({ length }) => length === 1), "three deliveries");
      await other.publish(channel, "second");
      await until(() => received.every(({ length }) => length === 2), "three more deliveries");
      assertEqual(received, Array(3).fill(["first", "second"]), "the messages");
    });

    it("keeps channels apart, whatever their names", async (one, other, suffix) => {
      const received: string[] = [];
      const names = channels.map((name) => name.slice(0, 300 - suffix.length) + suffix);
      const numbers = names.map((_, index) => String(index));
      for (const name of names) await other.subscribe(name, (message) => received.push(message));
      await one.publish(`news.sport${suffix}`, "not subscribed to");
      for (const [index, name] of names.entries()) await one.publish(name, String(index));
      await until(() => received.length >= names.length, "a message of each channel");
      await wait(quietMs);
      assertEqual(received.toSorted(), numbers, "the messages");
    });

    it("keeps the order of 200 messages of one publisher", async (one, other, channel) => {
      const received: string[] = [];
      await other.subscribe(channel, (message) => received.push(message));
      const sent = Array.from({ length: 200 }, (_, index) => `${index}`);
      for (const message of sent) await one.publish(channel, message);
      await until(() => received.length >= sent.length, "all messages");
      assertEqual(received, sent, "the messages");
    });

    it("delivers any text unchanged", async (one, other, channel) => {
      const received: string[] = [];
      await other.subscribe(channel, (message) => received.push(message));
      const texts = ["", 'it\'s {"json": [1]}\r\n\u2028 ü 🚀 $1 %s \\', "x".repeat(6000)];
      for (const text of texts) await one.publish(channel, text);
      await until(() => received.length >= texts.length, "all messages");
      assertEqual(received, texts, "the messages");
    });

    it("ends one subscription, and no other of the channel", async (one, other, channel) => {
      const received: string[] = [];
      const receive = (message: string): void => void received.push(message);
      await other.subscribe(channel, (message) => received.push(`first ${message}`));
      const unsubscribe = await other.subscribe(channel, receive);
      await other.subscribe(channel, receive);
      unsubscribe();
      unsubscribe();
      await one.publish(channel, "message");
      await until(() => received.length >= 2, "two deliveries");
      await wait(quietMs);
      assertEqual(received.toSorted(), ["first message", "message"], "the deliveries");
    });

    it("subscribes again to a channel that had no subscriber left", async (one, other, channel) => {
      const received: string[] = [];
      for (const round of ["one", "two", "three"]) {
        const unsubscribe = await other.subscribe(channel, (message) => received.push(message));
        await one.publish(channel, round);
        await until(() => received.includes(round), `the message ${round}`);
        unsubscribe();
      }
      await one.publish(channel, "not subscribed to");
      await wait(quietMs);
      assertEqual(received, ["one", "two", "three"], "the messages");
    });

    it("delivers nothing after close(), and can subscribe again", async (one, other, channel) => {
      if (other.close === undefined) return;
      const received: string[] = [];
      await other.subscribe(channel, () => received.push("closed"));
      await other.close();
      await other.subscribe(channel, (message) => received.push(message));
      await one.publish(channel, "message");
      await until(() => received.length >= 1, "the message");
      await wait(quietMs);
      assertEqual(received, ["message"], "the deliveries");
    });

    it("accepts a message without subscribers", async (one, _other, channel) => {
      await one.publish(channel, "message");
    });

    const { limitBytes } = options;
    if (limitBytes === undefined) return;
    it("refuses a message that is too large", async (one, _other, channel) => {
      const publish = async (): Promise<void> => one.publish(channel, "ü".repeat(limitBytes / 2));
      const error = await assertRejects(publish(), "a message over the limit");
      const code = error instanceof Error && "code" in error ? error.code : error;
      assertEqual(code, "ERR_BROADCAST_TOO_LARGE", "the code of the error");
    });
  });
}
