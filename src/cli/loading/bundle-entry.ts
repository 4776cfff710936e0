import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BuildOptions, Loader, Plugin } from "esbuild";
import { CommandError } from "../command-error.ts";
import { standInUrl } from "./platform-stand-ins.ts";

/** The subset of esbuild used here. */
export type Esbuild = Pick<typeof import("esbuild"), "build" | "formatMessages">;

/**
 * Finds the project's esbuild: its own, or the one installed by wrangler or Vite. Returns undefined if none
 * is installed.
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
      // Not installed there, or without a binary for this platform: try the next.
    }
  }
  return undefined;
}

/**
 * Bundles the application's own files into one JavaScript module for the current Node version; packages stay
 * external imports.
 *
 * @param folder the output folder, to which paths in the source map are relative
 * @throws CommandError with the syntax errors of the files
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
    // Controllers are identified by their class names.
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
    throw new CommandError(`Cannot parse ${entry}:\n${details}`, { cause });
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

/** Imports `.wasm` files as a WebAssembly.Module, as Workers do and Node does not. */
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

/** Keeps `import.meta` paths of the source file, so that files relative to it are found from the bundle. */
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
