import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BuildOptions, Loader, Plugin } from "esbuild";
import { CommandError } from "../command-error.ts";
import { standInUrl } from "./platform-stand-ins.ts";

/** The part of esbuild that is used. */
export type Esbuild = Pick<typeof import("esbuild"), "build" | "formatMessages">;

/**
 * The esbuild that the project has: its own, or the one that came with wrangler or Vite. Undefined when
 * there is none.
 */
export async function findEsbuild(entry: string): Promise<Esbuild | undefined> {
  const fromProject = createRequire(entry);
  for (const owner of [undefined, "wrangler", "vite"]) {
    try {
      const from =
        owner === undefined
          ? fromProject
          : createRequire(fromProject.resolve(`${owner}/package.json`));
      const loaded: { default?: Esbuild } & Esbuild = await import(
        pathToFileURL(from.resolve("esbuild")).href
      );
      return loaded.default ?? loaded;
    } catch {
      // Not installed there, or without its program for this machine: the next may be.
    }
  }
  return undefined;
}

/**
 * One module of the application's own files, in JavaScript that this Node runs; packages are imported from
 * it as they are.
 *
 * @param folder where it will be: its source map tells of the files from there
 * @throws CommandError with what is wrong in the files
 */
export async function bundleEntry(
  esbuild: Esbuild,
  entry: string,
  folder: string,
): Promise<string> {
  const options: BuildOptions & { write: false } = {
    entryPoints: [entry],
    absWorkingDir: folder,
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    packages: "external",
    target: `node${process.versions.node}`,
    sourcemap: "inline",
    // Controllers are told by the names of their classes.
    keepNames: true,
    logLevel: "silent",
    loader: { ".txt": "text", ".html": "text", ".sql": "text", ".bin": "binary" },
    plugins: [cloudflareModules, webAssemblyModules, ownLocation],
  };
  try {
    const { outputFiles } = await esbuild.build(options);
    return outputFiles[0]?.text ?? "";
  } catch (cause) {
    const errors = Reflect.get(Object(cause), "errors");
    const details = Array.isArray(errors)
      ? (await esbuild.formatMessages(errors, { kind: "error" })).join("\n")
      : String(cause);
    throw new CommandError(`${entry} cannot be read as a module:\n${details}`, { cause });
  }
}

const cloudflareModules: Plugin = {
  name: "cloudflare-modules",
  setup(build) {
    build.onResolve({ filter: /^cloudflare:/ }, ({ path }) => ({
      path: standInUrl(path),
      external: true,
    }));
  },
};

/** Workers import a `.wasm` file as the module of it, which Node does not do. */
const webAssemblyModules: Plugin = {
  name: "web-assembly-modules",
  setup(build) {
    const namespace = "web-assembly";
    build.onResolve({ filter: /\.wasm(\?module)?$/ }, ({ path, resolveDir }) => {
      const name = path.replace("?module", "");
      const isFile = name.startsWith(".") || name.startsWith("/");
      const file = isFile
        ? join(name.startsWith("/") ? "" : resolveDir, name)
        : createRequire(join(resolveDir, "module.js")).resolve(name);
      return { path: file, namespace };
    });
    build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({
      contents:
        'import { readFileSync } from "node:fs";\n' +
        `export default new WebAssembly.Module(readFileSync(${JSON.stringify(path)}));`,
    }));
  },
};

/** A file that reads others beside itself must find them, though its bundle is elsewhere. */
const ownLocation: Plugin = {
  name: "own-location",
  setup(build) {
    build.onLoad({ filter: /\.[cm]?[jt]sx?$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      if (!text.includes("import.meta.")) return undefined;
      const contents = text
        .replaceAll(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(path).href))
        .replaceAll(/\bimport\.meta\.filename\b/g, JSON.stringify(path))
        .replaceAll(/\bimport\.meta\.dirname\b/g, JSON.stringify(dirname(path)));
      return { contents, loader: loaderOf(path) };
    });
  },
};

function loaderOf(path: string): Loader {
  if (/\.[cm]?ts$/.test(path)) return "ts";
  if (path.endsWith(".tsx")) return "tsx";
  return path.endsWith(".jsx") ? "jsx" : "js";
}
