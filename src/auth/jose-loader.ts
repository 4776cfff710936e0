type Jose = typeof import("./jose.ts");

/** Loads the JWT library on first use and keeps it, since `import()` costs more than signing a token. */
export class JoseLoader {
  #jose: Jose | undefined;

  /** Keeps the module, not its promise: on Workers a promise belongs to the request that created it. */
  load(): Jose | Promise<Jose> {
    return this.#jose ?? this.#import();
  }

  async #import(): Promise<Jose> {
    this.#jose = await import("./jose.ts");
    return this.#jose;
  }
}
