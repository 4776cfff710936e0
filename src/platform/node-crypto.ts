/** Parameters of `scrypt` in `node:crypto`. */
interface ScryptParameters {
  readonly N: number;
  readonly r: number;
  readonly p: number;
  readonly maxmem: number;
}

/** Parameters of `argon2` in `node:crypto`. */
interface Argon2Parameters {
  readonly message: Uint8Array;
  readonly nonce: Uint8Array;
  readonly parallelism: number;
  readonly tagLength: number;
  readonly memory: number;
  readonly passes: number;
}

type Callback = (error: Error | null | undefined, derived: Uint8Array<ArrayBuffer>) => void;

/** The password functions of `node:crypto`. They run outside the event loop. */
export interface NodeCrypto {
  scrypt?(
    password: Uint8Array,
    salt: Uint8Array,
    lengthBytes: number,
    parameters: ScryptParameters,
    callback: Callback,
  ): void;
  /** Node 24.7 and later, Bun. */
  argon2?(algorithm: "argon2id", parameters: Argon2Parameters, callback: Callback): void;
}

/**
 * Returns `node:crypto` where the platform has it: Node 20.16 and later, Deno, Bun, and Workers with
 * `nodejs_compat`; undefined elsewhere. Without an import, so that bundles for other platforms build.
 */
export function findNodeCrypto(): NodeCrypto | undefined {
  const { process } = globalThis as {
    process?: { getBuiltinModule?(name: string): NodeCrypto | undefined };
  };
  return process?.getBuiltinModule?.("node:crypto");
}
