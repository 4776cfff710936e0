import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../support/bundle.ts";

/** Folder of the site's generator, whose tools are installed apart from the project's. */
export const site: string = join(root, "site");

/** Address that the built site is configured for. */
export const address = "https://espalier.example";

/** Builds the site into a folder. A link that leads nowhere fails the build. */
export async function buildSite(folder: string): Promise<void> {
  const run = promisify(execFile);
  const tool = (name: string): string => join(site, "node_modules/.bin", name);
  await run(tool("typedoc"), { cwd: site });
  const env = { ...process.env, SITE_URL: address };
  await run(tool("vitepress"), ["build", "--outDir", folder], { cwd: site, env });
}

/** Every page of the built site without its extension: `guide/cors`, `index`. */
export function builtPages(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".html") && name !== "404.html")
    .map((name) => name.slice(0, -".html".length))
    .toSorted();
}

/** A hit of the search. */
export interface Hit {
  readonly id: string;
}

interface MiniSearchIndex {
  search(query: string): Hit[];
}

interface MiniSearchModule {
  loadJSON(json: string, options: object): MiniSearchIndex;
}

interface SiteData {
  readonly themeConfig: {
    readonly search: {
      readonly options: { readonly miniSearch: { readonly searchOptions: object } };
    };
  };
}

/**
 * Returns the search of the built site: its index, its options as the browser reads them, and the
 * library that the browser runs.
 */
export async function openSearch(folder: string): Promise<(query: string) => Hit[]> {
  const chunks = join(folder, "assets/chunks");
  const chunkOf = (prefix: string): string => {
    const name = readdirSync(chunks).find((file) => file.startsWith(prefix));
    if (name === undefined) throw new Error(`The site has no chunk ${prefix}`);
    return join(chunks, name);
  };
  const { default: json } = (await import(chunkOf("@localSearchIndexroot"))) as { default: string };
  const window: { __VP_SITE_DATA__?: SiteData } = {};
  // The chunk is a script that sets two globals.
  new Function("window", readFileSync(chunkOf("metadata"), "utf8"))(window);
  const searchOptions =
    window.__VP_SITE_DATA__?.themeConfig.search.options.miniSearch.searchOptions;
  if (searchOptions === undefined) throw new Error("The site has no options of its search");
  const MiniSearch = createRequire(join(site, "package.json"))("minisearch") as MiniSearchModule;
  const fields = ["title", "titles", "text"];
  const index = MiniSearch.loadJSON(json, {
    fields,
    storeFields: ["title", "titles"],
    searchOptions,
  });
  return (query) => index.search(query);
}

/** Page of a hit: `guide/cors` of `/guide/cors#options`. */
export function pageOf({ id }: Hit): string {
  const path = (id.split("#")[0] ?? "").slice(1);
  return path === "" || path.endsWith("/") ? `${path}index` : path;
}
