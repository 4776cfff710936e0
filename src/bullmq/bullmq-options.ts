import type { QueueOptions } from "bullmq";
import { badOption, checkOptionNames, type OptionNames } from "../util/options.ts";

/** Options of {@link BullmqQueueAdapter}. */
export interface BullmqQueueAdapterOptions {
  /** Connection of BullMQ: options such as `{ host, port }` or `{ url }`, or a client that BullMQ accepts. */
  readonly connection: QueueOptions["connection"];
  /** Prefix of all keys; default `bull`, as in BullMQ. */
  readonly prefix?: string;
  /** Number of completed jobs that each queue keeps, for dashboards; default 0. */
  readonly keepCompleted?: number;
  /** Called with errors of the connections, which BullMQ opens again by itself; default: they are ignored. */
  readonly onError?: (error: Error) => void;
}

const optionNames: OptionNames<BullmqQueueAdapterOptions> = {
  connection: true,
  prefix: true,
  keepCompleted: true,
  onError: true,
};

/** @throws EspalierError `ERR_BULLMQ_BAD_OPTION` */
export function checkBullmqOptions(options: BullmqQueueAdapterOptions): void {
  const owner = { code: "ERR_BULLMQ_BAD_OPTION", name: "BullmqQueueAdapter" } as const;
  checkOptionNames(owner, options, optionNames);
  const { connection, prefix = "bull", keepCompleted = 0, onError } = options;
  if (typeof connection !== "object" || connection === null) {
    throw badOption(owner, "connection", connection, "connection options or a client of BullMQ");
  }
  if (typeof prefix !== "string" || prefix === "") {
    throw badOption(owner, "prefix", prefix, "a non-empty string");
  }
  if (!Number.isInteger(keepCompleted) || keepCompleted < 0) {
    throw badOption(owner, "keepCompleted", keepCompleted, "an integer of at least 0");
  }
  if (onError !== undefined && typeof onError !== "function") {
    throw badOption(owner, "onError", onError, "a function");
  }
}
