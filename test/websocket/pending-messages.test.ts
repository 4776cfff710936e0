import { expect, test } from "vitest";
import { PendingMessages } from "../../src/platform/websocket/pending-messages.ts";
import { Random } from "../support/random.ts";

test("counts the messages that wait, also those that are sent in part", () => {
  const random = new Random(1013);
  const pending = new PendingMessages();
  /** Number of bytes of each message that wait. */
  const waiting: number[] = [];
  const buffered = (): number => waiting.reduce((sum, bytes) => sum + bytes, 0);
  for (let round = 0; round < 3_000; round += 1) {
    for (let count = random.between(0, 4); count > 0; count -= 1) {
      const before = buffered();
      waiting.push(random.between(1, 50));
      pending.add(before, buffered());
    }
    for (let bytes = random.between(0, 120); bytes > 0 && waiting.length > 0; ) {
      const [first = 0] = waiting;
      if (first > bytes) waiting[0] = first - bytes;
      else waiting.shift();
      bytes -= first;
    }
    expect(pending.count(buffered())).toBe(waiting.length);
  }
});

test("a message that is sent at once is forgotten with the next one", () => {
  const pending = new PendingMessages();
  for (let sent = 0; sent < 10; sent += 1) pending.add(0, 10);
  expect(pending.count(10)).toBe(1);
  expect(pending.count(0)).toBe(0);
});
