import type { RedisConnection } from "./redis-client.ts";

/** A Lua script that Redis runs atomically on one key. It is sent once, then called by its SHA-1 digest. */
export class RedisScript {
  readonly #source: string;
  #digest: Promise<string> | undefined;

  constructor(source: string) {
    this.#source = source;
  }

  /** Runs the script with `KEYS[1]` and `ARGV`. Rejects with the error of the client. */
  async run(
    { send }: RedisConnection,
    key: string,
    args: readonly (string | number)[],
  ): Promise<unknown> {
    const parameters = ["1", key, ...args.map(String)];
    this.#digest ??= sha1(this.#source);
    try {
      return await send(["EVALSHA", await this.#digest, ...parameters]);
    } catch (error) {
      // Redis forgets its scripts when it is restarted.
      if (!isUnknownScript(error)) throw error;
      return await send(["EVAL", this.#source, ...parameters]);
    }
  }
}

function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("NOSCRIPT");
}

/** EVALSHA names scripts by this digest; it protects nothing. */
async function sha1(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-1", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
