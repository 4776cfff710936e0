import { admit, type SlidingWindow } from "../../rate-limit/sliding-window.ts";
import type { RateLimitObjectState, RateLimitObjectStorage } from "./rate-limit-types.ts";

/** The stored window; its length is stored so that the alarm can determine when it has passed. */
interface StoredWindow {
  readonly windowMs: number;
  readonly moments: Float64Array;
}

/**
 * Durable Object that counts the requests of one key globally; used by `DurableObjectRateLimitStore`. Export
 * it from the Worker and add it to the Worker's configuration:
 *
 * ```ts
 * export { RateLimitDurableObject } from "espalier/cloudflare";
 * ```
 * ```toml
 * [[durable_objects.bindings]]
 * name = "RATE_LIMIT"
 * class_name = "RateLimitDurableObject"
 *
 * [[migrations]]
 * tag = "rate-limit"
 * new_sqlite_classes = ["RateLimitDurableObject"]
 * ```
 *
 * An admitted request is persisted before the response is sent, so no count is lost when the platform moves
 * the object. The object deletes its storage once the window has passed.
 */
export class RateLimitDurableObject {
  readonly #storage: RateLimitObjectStorage;
  #window: SlidingWindow = [];
  #windowMs = 0;
  #hasAlarm = false;

  constructor(state: RateLimitObjectState) {
    this.#storage = state.storage;
    state.blockConcurrencyWhile(() => this.#load());
  }

  /** Admits or rejects a request: `?limit=60&windowMs=60000` returns the decision as JSON. */
  async fetch(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url);
    const limit = Number(searchParams.get("limit"));
    const windowMs = Number(searchParams.get("windowMs"));
    // No await before this line, so that no other request runs between reading and counting.
    const decision = admit(this.#window, limit, windowMs, Date.now());
    if (decision.allowed) await this.#save(windowMs);
    return Response.json(decision);
  }

  /** Called by the platform when the window may have passed. Deletes the storage of an empty window. */
  async alarm(): Promise<void> {
    const emptyAtMs = (this.#window.at(-1) ?? 0) + this.#windowMs;
    if (emptyAtMs > Date.now()) {
      await this.#storage.setAlarm(emptyAtMs);
    } else {
      this.#window = [];
      this.#hasAlarm = false;
      await this.#storage.deleteAll();
    }
  }

  async #load(): Promise<void> {
    const stored = await this.#storage.get("window");
    if (stored === undefined) return;
    // Only `#save` writes this key.
    const { windowMs, moments } = stored as StoredWindow;
    this.#windowMs = windowMs;
    this.#window = [...moments];
    this.#hasAlarm = true;
  }

  async #save(windowMs: number): Promise<void> {
    this.#windowMs = windowMs;
    const stored: StoredWindow = { windowMs, moments: new Float64Array(this.#window) };
    const writing = [this.#storage.put("window", stored)];
    if (!this.#hasAlarm) {
      this.#hasAlarm = true;
      writing.push(this.#storage.setAlarm(Date.now() + windowMs));
    }
    await Promise.all(writing);
  }
}
