import { fileURLToPath } from "node:url";
import { EspalierError } from "../../errors.ts";
import { acceptEncodingOf, chooseCoding } from "../../http/accept-encoding.ts";
import { accepts } from "../../http/accepts.ts";
import type { RequestContext } from "../../http/context.ts";
import { HttpError } from "../../http/http-error.ts";
import { redirect } from "../../http/responses.ts";
import { serveFile } from "../../http/serve-file.ts";
import { appendVary } from "../../http/vary.ts";
import { badOption, checkOptionNames, type OptionNames } from "../../util/options.ts";
import { contentTypeOf } from "./content-types.ts";
import { type OpenFile, openBelow } from "./open-file.ts";

/** Options of {@link staticFiles}. */
export interface StaticFilesOptions {
  /** File that is served for a directory; default `index.html`, false for none. */
  readonly index?: string | false;
  /** File that is served for a page that does not exist, for applications with routes in the browser; default none. */
  readonly fallback?: string;
  /**
   * Serves `app.js.br` or `app.js.gz` in the place of `app.js` to clients that accept it; default false. The
   * files must be created by a build.
   */
  readonly precompressed?: boolean;
  /**
   * Value of `Cache-Control`, or a function of the path; default `max-age=0`, to which guards add `private`.
   */
  readonly cacheControl?: string | ((path: string) => string);
  /** Further content types by extension, such as `{ stl: "model/stl" }`. */
  readonly types?: Readonly<Record<string, string>>;
}

const owner = { code: "ERR_FILES_BAD_OPTION", name: "staticFiles()" } as const;
const optionNames: OptionNames<StaticFilesOptions> = {
  index: true,
  fallback: true,
  precompressed: true,
  cacheControl: true,
  types: true,
};

const extensions = { br: ".br", gzip: ".gz" } as const;
const codings = ["br", "gzip"] as const;

/** A file to send, and the name that its content type follows from. */
interface FoundFile {
  readonly name: string;
  readonly segments: readonly string[];
  readonly file: OpenFile;
  /** True if it replaces a file that does not exist, which depends on `Accept`. */
  readonly isFallback?: boolean;
}

/**
 * Returns a handler that serves the files of a directory, on Node, Deno and Bun, for a route that ends with a
 * wildcard. With ranges, `ETag`, `Last-Modified` and 304. Hidden files, and symbolic links that lead outside, do
 * not exist for it.
 *
 * ```ts
 * router.get("/assets/*path", staticFiles("./public", { cacheControl: "public, max-age=3600" }));
 * ```
 *
 * @param directory path, or `file:` URL: `new URL("./public", import.meta.url)` does not depend on the
 *   working directory
 * @throws EspalierError `ERR_FILES_BAD_OPTION`
 */
export function staticFiles(
  directory: string | URL,
  options: StaticFilesOptions = {},
): (ctx: RequestContext<object>) => Promise<Response> {
  checkOptionNames(owner, options, optionNames);
  const root = rootOf(directory);
  const { index = "index.html", precompressed = false, types = {}, fallback } = options;
  // Without `public`: it would allow shared caches to store what a guard protects (RFC 9111 section 3.5).
  const { cacheControl = "max-age=0" } = options;
  for (const name of [index, fallback]) {
    if (typeof name === "string" && fileOf(name) === undefined) {
      throw badOption(owner, name === index ? "index" : "fallback", name, "the path of a file");
    }
  }

  return async (ctx) => {
    const found = (await find(ctx)) ?? (await findFallback(ctx));
    if (found instanceof Response) return found;
    if (found === undefined) {
      const varying = { headers: { vary: "Accept" } };
      throw new HttpError(404, "The file does not exist.", fallback === undefined ? {} : varying);
    }
    return send(ctx, found);
  };

  async function find(ctx: RequestContext<object>): Promise<FoundFile | Response | undefined> {
    const { pathname } = ctx.url;
    // A name has no slash: as a separator, an encoded one would lead past the guards of more specific routes.
    const segments = /%2f/i.test(pathname) ? undefined : parsePath(wildcardOf(ctx));
    if (segments === undefined) return undefined;
    const file = await openBelow(root, segments);
    if (file === undefined) return undefined;
    const isFolderPath = pathname.endsWith("/");
    if (!file.isDirectory) {
      const found = { name: segments.at(-1) ?? "", segments, file };
      if (!isFolderPath) return found;
      await file.close();
      return undefined;
    }
    await file.close();
    if (index === false) return undefined;
    const inner = [...segments, ...(fileOf(index) ?? [])];
    const page = await openFile(inner);
    if (page === undefined || isFolderPath) return page;
    await page.file.close();
    // Relative links of the page would lead elsewhere.
    return redirect(`${pathname}/${ctx.url.search}`, 301);
  }

  async function findFallback(ctx: RequestContext<object>): Promise<FoundFile | undefined> {
    if (fallback === undefined || accepts(ctx, "text/plain", "text/html") !== "text/html") {
      return undefined;
    }
    const page = await openFile(fileOf(fallback) ?? []);
    return page === undefined ? undefined : { ...page, isFallback: true };
  }

  async function openFile(segments: readonly string[]): Promise<FoundFile | undefined> {
    const file = await openBelow(root, segments);
    if (file === undefined) return undefined;
    if (!file.isDirectory) return { name: segments.at(-1) ?? "", segments, file };
    await file.close();
    return undefined;
  }

  async function send(ctx: RequestContext<object>, found: FoundFile): Promise<Response> {
    const coding = precompressed ? chooseCoding(acceptEncodingOf(ctx.request), codings) : undefined;
    const encoded = coding && (await openEncoded(found.segments, extensions[coding]));
    if (encoded !== undefined) await found.file.close();
    const file = encoded ?? found.file;
    let isRead = false;
    try {
      const response = await serveFile(ctx, {
        size: file.size,
        etag: file.etag,
        lastModified: file.modifiedAt,
        type: contentTypeOf(found.name, types),
        inline: true,
        read: (range) => {
          isRead = true;
          return file.read(range);
        },
      });
      const { headers } = response;
      headers.delete("content-disposition");
      const path = found.segments.join("/");
      headers.set(
        "cache-control",
        typeof cacheControl === "string" ? cacheControl : cacheControl(path),
      );
      if (precompressed) appendVary(headers, "Accept-Encoding");
      if (found.isFallback === true) appendVary(headers, "Accept");
      if (encoded !== undefined && coding !== undefined && response.status !== 304) {
        headers.set("content-encoding", coding);
      }
      return response;
    } finally {
      if (!isRead) await file.close();
    }
  }

  async function openEncoded(
    segments: readonly string[],
    extension: string,
  ): Promise<OpenFile | undefined> {
    const name = `${segments.at(-1)}${extension}`;
    return (await openFile([...segments.slice(0, -1), name]))?.file;
  }
}

function rootOf(directory: unknown): string {
  if (directory instanceof URL && directory.protocol === "file:") return fileURLToPath(directory);
  if (typeof directory === "string" && directory !== "") return directory;
  throw badOption(owner, "directory", directory, "a path or a file: URL");
}

/** Returns the value of the wildcard, with which the pattern of the route ends. */
function wildcardOf(ctx: RequestContext<object>): string {
  const pattern = ctx.route?.pattern ?? "";
  const [, name] = /\/\*([A-Za-z_$][\w$]*)?$/.exec(pattern) ?? [];
  const params = ctx.params as Readonly<Record<string, string>>;
  const value = params[name ?? "*"];
  if (value !== undefined) return value;
  throw new EspalierError(
    "ERR_FILES_BAD_ROUTE",
    `The pattern of a route with staticFiles() must end with a wildcard, got "${pattern}". ` +
      'Use a pattern such as "/assets/*path".',
  );
}

/** Returns the segments of a file in an option, which may begin with a slash. */
function fileOf(path: string): readonly string[] | undefined {
  return parsePath(path.replace(/^\//, ""));
}

/**
 * Returns the segments of a decoded path; undefined for one that no served file can have: hidden names, `..`,
 * backslashes, colons (drives and streams of Windows), control characters and empty segments. The router keeps
 * an empty segment, so that skipping it would lead past the guards of more specific routes.
 */
function parsePath(path: string): readonly string[] | undefined {
  const segments = path === "" ? [] : path.replace(/\/$/, "").split("/");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is being refused.
  const isWrong = (segment: string): boolean => /^$|^\.|[\\:\x00-\x1f]/.test(segment);
  return segments.some(isWrong) ? undefined : segments;
}
