import { describe, expect, test } from "vitest";
import { JobReleaser } from "../../src/queue/job-releaser.ts";
import type { QueueAdapter } from "../../src/queue/queue-adapter.ts";
import { createResilientAdapter } from "../../src/queue/resilient-adapter.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { leasedJob } from "./support/leased-job.ts";

function createReleaser(release: (id: string, lease: string) => Promise<boolean>) {
  const clock = new FakeClock();
  const logger = createRecordingLogger();
  const adapter = { release } as Partial<QueueAdapter> as QueueAdapter;
  const store = createResilientAdapter({ adapter, clock }, () => {});
  const definitions = new Map([["mail.send", {}]]);
  const releaser = new JobReleaser({ store: () => store, definitions, clock, logger });
  return { releaser, lines: logger.lines };
}

const left = (name: string, hint: string): object => ({
  level: "warn",
  message: `The job "${name}" was left in the queue: this process has no handler for it.${hint}`,
  job: name,
});

describe("a job that is given back", () => {
  test("is released under its lease", async () => {
    const released: unknown[] = [];
    const { releaser, lines } = createReleaser(async (...call) => released.push(call) > 0);
    await releaser.release(leasedJob({ id: "7", name: "mail.send", lease: "lease-7" }));
    expect(released).toEqual([["7", "lease-7"]]);
    expect(lines).toEqual([]);
  });

  test("without a handler is warned about, once per name, with the nearest one", async () => {
    const { releaser, lines } = createReleaser(async () => true);
    for (const name of ["mail.sned", "mail.sned", "reports"]) {
      await releaser.release(leasedJob({ name }));
    }
    expect(lines).toEqual([
      left("mail.sned", ' Did you mean "mail.send"?'),
      left("reports", ' Known: "mail.send".'),
    ]);
  });

  test("is warned about for a thousand names at most", async () => {
    const { releaser, lines } = createReleaser(async () => true);
    for (let name = 0; name < 1_010; name += 1) {
      await releaser.release(leasedJob({ name: `name ${name}` }));
    }
    expect(lines).toHaveLength(1_000);
  });

  test("is only logged if its store fails", async () => {
    const { releaser, lines } = createReleaser(() => Promise.reject(new Error("disk full")));
    await releaser.release(leasedJob({ id: "7", name: "mail.send" }));
    expect(lines).toEqual([
      {
        level: "warn",
        message: "A job could not be given back.",
        job: "mail.send",
        jobId: "7",
        error: expect.objectContaining({ message: expect.stringContaining("disk full") }),
      },
    ]);
  });
});
