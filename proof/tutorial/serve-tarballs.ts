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

/** Packs packages as they would be published, and serves them; other requests are redirected to npm's registry. */
export async function serveTarballs(
  sources: readonly string[],
  folder: string,
): Promise<TarballRegistry> {
  const packages = new Map<string, Packed>();
  for (const source of sources) {
    const packed = await pack(source, folder);
    packages.set(packed.manifest.name, packed);
  }
  const upstream = (await runCommand(folder, "npm", ["config", "get", "registry"])).trim();
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

async function pack(source: string, folder: string): Promise<Packed> {
  const flags = ["--silent", "--ignore-scripts", "--pack-destination", folder];
  const output: string = await runCommand(source, "npm", ["pack", ...flags]);
  const file = join(folder, output.trim().split("\n").at(-1) ?? "");
  const manifest = JSON.parse(await readFile(join(source, "package.json"), "utf8"));
  return { manifest, content: await readFile(file) };
}

function metadataOf({ manifest, content }: Packed, url: string): object {
  const { name, version } = manifest;
  const integrity = `sha512-${createHash("sha512").update(content).digest("base64")}`;
  const dist = { tarball: `${url}${name}/-/${name}-${version}.tgz`, integrity };
  return { name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } };
}
