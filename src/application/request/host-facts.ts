import { clearHostOf, detectRuntime, isFromEdge } from "#host";
import type { HostFacts } from "../../http/context-input.ts";
import { createUrlResolver } from "../../http/request-url.ts";
import { bodyWatcherOn } from "../../http/watched-body.ts";

/** Returns the facts about the current runtime. */
export function readHostFacts(): HostFacts {
  const host = detectRuntime();
  return {
    // Node's server has resolved the URL already: only it can detect duplicate Host headers.
    resolveUrl: host === "node" ? ({ url }) => url : createUrlResolver(clearHostOf, isFromEdge),
    // Node's server has a faster implementation.
    isFramed: host !== "node" && host !== "other",
    isTextFaster: host === "workerd",
    watchBody: bodyWatcherOn(host),
  };
}
