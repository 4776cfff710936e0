import type { NewJobRecord } from "../../queue/queue-adapter.ts";
import type { NameLimit } from "./queue-object-jobs.ts";

/** Calls of the adapter to its Durable Object, as the JSON body of a request. */
export type QueueObjectCall =
  | { readonly call: "push"; readonly jobs: readonly NewJobRecord[] }
  | { readonly call: "pull"; readonly max: number; readonly limits: readonly NameLimit[] }
  | {
      readonly call: "renew";
      readonly id: string;
      readonly lease: string;
      readonly leaseMs: number;
    }
  | { readonly call: "ack" | "release"; readonly id: string; readonly lease: string }
  | {
      readonly call: "retry";
      readonly id: string;
      readonly lease: string;
      readonly atMs: number;
    }
  | {
      readonly call: "dead";
      readonly id: string;
      readonly lease: string;
      readonly error: string;
    }
  | { readonly call: "failed"; readonly limit: number }
  | { readonly call: "retryFailed" | "discardFailed" | "find" | "cancel"; readonly id: string }
  | { readonly call: "counts" };

/**
 * URL of the request with which the object asks its Worker to run due jobs. Names below `.invalid` do not exist
 * (RFC 6761), so no request from outside has this URL.
 */
export const runJobsUrl = "https://queue.invalid/run";
