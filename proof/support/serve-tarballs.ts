import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { runCommand } from "../starter/run-command.mjs";

/** A package registry on the loopback interface. */
export interface TarballRegistry {
  readonly url: string;
  stop(): Promise<void>;
}

interface Packed {
  readonly manifest: { readonly name: string; readonly version: string };
  readonly content: Buffer;
}

/**
 * Serves packed packages; other requests are redirected to npm's registry.
 *
 * @param tarballs path of each package's tarball, by the folder of its package.json
 */
export async function serveTarballs(
  tarballs: ReadonlyMap<string, string>,
): Promise<TarballRegistry> {
  const packages = new Map<string, Packed>();
  for (const [source, tarball] of tarballs) {
    const manifest = JSON.parse(await readFile(join(source, "package.json"), "utf8"));
    packages.set(manifest.name, { manifest, content: await readFile(tarball) });
  }
  const upstream = (await runCommand(".", "npm", ["config", "get", "registry"])).trim();
  const server = createServer((request, response) => {
    const [name = "", file] = (request.url ?? "").slice(1).split("/-/");
    const found = packages.get(decodeURIComponent(name));
    if (found === undefined) {
      response.writeHead(307, { location: new URL(request.url ?? "/", upstream).href }).end();
    } else if (file === undefined) {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(metadataOf(found, url())));
    } else response.end(found.content);
  });
  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: url(),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function metadataOf({ manifest, content }: Packed, url: string): object {
  const { name, version } = manifest;
  const integrity = `sha512-${createHash("sha512").update(content).digest("base64")}`;
  const dist = { tarball: `${url}${name}/-/${name}-${version}.tgz`, integrity };
  return { name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } };
}
