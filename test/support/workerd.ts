import { Miniflare } from "miniflare";
import { bundle } from "./bundle.ts";

export interface WorkerdOptions {
  readonly compatibilityDate?: string;
  readonly compatibilityFlags?: readonly string[];
  /** Bindings in the form that Miniflare takes; by default a KV namespace `KV`. */
  readonly env?: Readonly<Record<string, unknown>>;
  /** Further members of the worker's configuration: `exports`, `triggers`. */
  readonly worker?: Readonly<Record<string, unknown>>;
  /**
   * Opens a socket of the worker's own, whose address `mf.unsafeGetDirectURL()` gives: behind `mf.ready`
   * stands a proxy that compresses as Cloudflare's edge does.
   */
  readonly hasOwnSocket?: boolean;
  /** Receives what the worker writes to `console`. */
  readonly onLog?: (message: string) => void;
}

/** Runs a bundled worker in workerd; `await mf.ready` gives its address. */
export async function startWorkerd(
  entry: string,
  options: WorkerdOptions = {},
): Promise<Miniflare> {
  const { code, wasm } = await bundle(entry, "workerd");
  const modules: Record<string, unknown> = { "index.js": { type: "esm", contents: code } };
  for (const [name, contents] of wasm) modules[name] = { type: "wasm", contents };
  const config = {
    name: "worker",
    compatibilityDate: options.compatibilityDate ?? "2026-11-01",
    compatibilityFlags: options.compatibilityFlags ?? [],
    manifest: { mainModule: "index.js", modulesRoot: "/", modules },
    env: options.env ?? { KV: { type: "kv", id: "KV" } },
    ...options.worker,
  };
  const dev =
    options.hasOwnSocket === true ? { unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }] } : {};
  // Miniflare's own types ask for every optional member of a configuration.
  const { onLog } = options;
  const logs =
    onLog === undefined
      ? {}
      : { handleStructuredLogs: ({ message }: { message: string }) => onLog(message) };
  return new Miniflare({ cf: false, ...logs, workers: [{ config, dev }] } as never);
}
