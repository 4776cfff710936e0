import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { posix, resolve } from "node:path";
import typescript from "@rollup/plugin-typescript";
import { build, transform } from "esbuild";
import { dts } from "rollup-plugin-dts";

const wasmFile = "router-wasm/pkg/router.wasm";

/** Public entry points, as `exports` of package.json names them. */
const entries = {
  index: "src/index.ts",
  core: "src/core.ts",
  cloudflare: "src/cloudflare.ts",
  deno: "src/deno.ts",
  node: "src/node.ts",
  redis: "src/redis.ts",
  bullmq: "src/bullmq.ts",
  postgres: "src/postgres.ts",
  middleware: "src/middleware.ts",
  "middleware/authorization": "src/middleware/authorization.ts",
  client: "src/client.ts",
  testing: "src/testing.ts",
  websocket: "src/websocket.ts",
};

/**
 * Modules that the condition `production` replaces, as paths below `src`: each has the same exports in
 * `src/production`. Bundlers find one of the two through `#part/` of package.json.
 */
const replaced = readdirSync("src/production", { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) =>
    `${entry.parentPath}/${entry.name}`.slice("src/production/".length, -".ts".length),
  )
  .sort();

/**
 * Modules by the part of the framework that a condition such as `espalier-no-openapi` omits from a bundle;
 * `src/omitted` has what replaces each part. They are loaded by an `import()`, or imported by modules of the
 * application alone.
 */
const omittable = {
  openapi: ["application/capabilities/openapi"],
  queue: ["application/capabilities/queue"],
  cache: ["application/capabilities/cache"],
  validation: ["validation/compile", "validation/value-check"],
  multipart: ["http/multipart/read-multipart", "http/multipart/parse-multipart"],
  metrics: ["application/capabilities/metrics"],
  observability: ["middleware/request-observability-options", "middleware/request-observability"],
  cookies: ["http/lazy-cookies"],
  urls: ["routing/url"],
  trace: ["http/trace-context"],
  "client-address": ["http/client-address-finder"],
  config: ["config/configuration"],
  plugins: ["plugins/plugin-manager"],
  schedule: ["schedule/scheduler"],
  broadcast: ["application/capabilities/broadcast"],
};

/** Entries of what replaces modules. */
const replacements = [
  ...replaced.map((name) => `production/${name}`),
  ...Object.keys(omittable).map((part) => `omitted/${part}`),
];

/** Modules that `imports` of package.json chooses from by platform. */
const conditional = {
  "router-wasm/inline": "src/routing/wasm/inline.ts",
  "router-wasm/workerd": "src/routing/wasm/workerd.ts",
  "router-wasm/edge-light": "src/routing/wasm/edge-light.ts",
  "drivers/process": "src/platform/drivers/process.ts",
  "drivers/workerd": "src/platform/drivers/workerd.ts",
  "host/process": "src/platform/host/process.ts",
  "host/workerd": "src/platform/host/workerd.ts",
  "response/native": "src/platform/response/native.ts",
  "response/node": "src/platform/response/node.ts",
  "server/process": "src/platform/server/process.ts",
  "server/unavailable": "src/platform/server/unavailable.ts",
  ...Object.fromEntries(replacements.map((name) => [name, `src/${name}.ts`])),
};

/** Those whose declarations describe all of their kind. */
const conditionalTypes = [
  "drivers/process",
  "host/process",
  "router-wasm/inline",
  "response/native",
  "server/process",
];

const external = (id) =>
  /^(#|jose$|croner$|openapi-fetch$|crossws|bullmq$|cloudflare:|node:)/.test(id);

/** Gives `inline.ts` the bytes of the router, and the other two the file itself. */
const routerWasm = {
  name: "router-wasm",
  resolveId(id) {
    if (id === "virtual:router-wasm-base64") return "\0router-wasm-base64";
    if (id.endsWith(".wasm")) return { id: "./router.wasm", external: true };
    if (id.endsWith(".wasm?module")) return { id: "./router.wasm?module", external: true };
    return null;
  },
  load(id) {
    if (id !== "\0router-wasm-base64") return null;
    return `export default ${JSON.stringify(readFileSync(wasmFile).toString("base64"))}`;
  },
  writeBundle() {
    mkdirSync("dist/router-wasm", { recursive: true });
    copyFileSync(wasmFile, "dist/router-wasm/router.wasm");
  },
};

/**
 * TypeScript wraps the computed name of an import in a helper that is not defined anywhere. Such names are
 * of packages, never of files that it would rewrite.
 */
const computedImports = {
  name: "computed-imports",
  renderChunk: (code) => code.replaceAll("import(__rewriteRelativeImportExtension(", "import(("),
};

/** Libraries bundled into the file of the command line, so that they need not be installed. */
const bundledLibraries = ["citty", "picocolors", "smol-toml", "strip-json-comments"];

/** Their licences, which ask to be kept with the code. */
function notices() {
  const texts = bundledLibraries.map((name) => {
    const file = readdirSync(`node_modules/${name}`).find((entry) => /^licen[cs]e/i.test(entry));
    return `${name}\n\n${readFileSync(`node_modules/${name}/${file}`, "utf8").trim()}`;
  });
  return `/*!\nThis file contains:\n\n${texts.join("\n\n---\n\n").replaceAll("*/", "* /")}\n*/`;
}

/**
 * Layers add their types to those of `register.ts` by its path in the source; in the built declarations
 * that file is an entry of its own.
 */
const registerTypes = {
  name: "register-types",
  renderChunk(code, chunk) {
    const depth = chunk.fileName.split("/").length - 1;
    const path = `${depth === 0 ? "./" : "../".repeat(depth)}register.js`;
    return code.replaceAll(
      /declare module "[./]*\/register(?:\.[jt]s)?"/g,
      `declare module "${path}"`,
    );
  },
};

/** The command line, which esbuild makes one file of: some of its libraries are CommonJS. */
const commandLine = {
  name: "command-line",
  async load(id) {
    if (!id.endsWith("src/cli/espalier.ts")) return null;
    const { outputFiles } = await build({
      entryPoints: [id],
      bundle: true,
      write: false,
      format: "esm",
      platform: "node",
      target: "node20",
      external: ["esbuild"],
      legalComments: "none",
    });
    return outputFiles[0].text;
  },
  writeBundle() {
    chmodSync("dist/cli/espalier.js", 0o755);
  },
};

const compilerOptions = {
  // The syntax stays as it is written. For es2022 TypeScript gives a class that makes another of its own
  // kind a second name, by an assignment that bundlers keep, and with it the router, in every bundle.
  target: "esnext",
  noEmit: false,
  declaration: false,
  isolatedDeclarations: false,
  allowImportingTsExtensions: false,
  rewriteRelativeImportExtensions: true,
};

/** Chunks are named after their content: those of earlier builds would be published too. */
const removeOldChunks = (extension) => ({
  name: "remove-old-chunks",
  writeBundle(_options, bundle) {
    for (const file of readdirSync("dist/chunks")) {
      if (!file.endsWith(extension) || `chunks/${file}` in bundle) continue;
      rmSync(`dist/chunks/${file}`);
    }
  },
});

const files = (extension) => ({
  dir: "dist",
  format: "es",
  entryFileNames: `[name]${extension}`,
  chunkFileNames: `chunks/[name]-[hash]${extension}`,
  // Bundlers warn of imports for their effects alone in a package that says it has none.
  hoistTransitiveImports: false,
});

/** Removes comments, which the declarations have too: half of the bytes that would be read at start. */
const withoutComments = {
  name: "without-comments",
  async renderChunk(code, { fileName }) {
    const options = { target: "esnext", charset: "utf8" };
    const { code: printed } = await transform(code, options);
    // Those of class members are printed. A comment that a bundler reads, such as `@__PURE__`, is not of this form.
    const stripped = printed.replaceAll(/^ *(?:\/\*\*[\s\S]*?\*\/|\/\/ .*)\n/gm, "");
    const minify = async (text) =>
      (await transform(text, { ...options, minifyWhitespace: true })).code;
    if ((await minify(stripped)) === (await minify(printed))) return stripped;
    throw new Error(`${fileName} has a string that looks like a comment.`);
  },
};

/** Imports the modules that a condition replaces or omits by names of package.json. */
const namedParts = {
  name: "named-parts",
  renderChunk(code, { fileName, imports, dynamicImports }) {
    let renamed = code;
    const rename = (file, wrap, name) => {
      const path = posix.relative(posix.dirname(fileName), file);
      const specifier = JSON.stringify(path.startsWith(".") ? path : `./${path}`);
      if (!renamed.includes(wrap(specifier))) throw new Error(`${fileName} lacks ${specifier}.`);
      renamed = renamed.replaceAll(wrap(specifier), wrap(JSON.stringify(name)));
    };
    for (const file of [...imports, ...dynamicImports]) {
      if (replaced.includes(moduleName(file))) rename(file, (path) => path, `#part/${file}`);
    }
    const omittableFrom = (files, wrap) => {
      for (const file of files) {
        const part = partOf(moduleName(file));
        if (part !== undefined) rename(file, wrap, `#${part}/${file}`);
      }
    };
    omittableFrom(dynamicImports, (path) => `import(${path})`);
    // An entry such as `espalier/core` exports some of them: what is imported by hand is not omitted.
    if (fileName.startsWith("application/")) omittableFrom(imports, (path) => path);
    return renamed;
  },
};

const moduleName = (file) => file.replace(/\.js$/, "");
const partOf = (name) => Object.keys(omittable).find((part) => omittable[part].includes(name));

const removeOldFiles = {
  name: "remove-old-files",
  renderStart: ({ dir }) => rmSync(dir, { recursive: true, force: true }),
};

/**
 * The same code for bundlers, as one file for each module of the source. If a lazily loaded part and the
 * entry share a file, a bundler without code splitting keeps and evaluates the whole of it.
 */
const modules = {
  dir: "dist/modules",
  format: "es",
  preserveModules: true,
  preserveModulesRoot: "src",
  hoistTransitiveImports: false,
  paths: (id) => id.replace(/^\.\/(?=router\.wasm)/, "../../router-wasm/"),
  plugins: [removeOldFiles, withoutComments, namedParts],
};

/** What `imports` of package.json chooses for a process, except `#response`, which differs among them. */
const processModules = {
  "#drivers": "drivers/process.js",
  "#host": "host/process.js",
  "#router-wasm": "router-wasm/inline.js",
  "#server": "server/process.js",
};

/** Resolves names such as `#host` and `#part/util/describe.js`: no condition replaces modules in a process. */
const resolvedNames = {
  name: "resolved-names",
  resolveId(id) {
    if (!id.startsWith("#") || id === "#response") return null;
    return resolve("dist/modules", processModules[id] ?? id.slice(id.indexOf("/") + 1));
  },
};

/**
 * Returns the chunk of a module that a process loads at startup; undefined for what only an `import()` loads, which
 * stays apart. There are few chunks: Node takes about 0.7 ms of processor time for each file that it loads.
 */
function chunkOf(id, { getModuleInfo }) {
  const isIn = (set) => set(getModuleInfo).has(id);
  if (!isIn(atStartOfIndex)) return isIn(atStartOfCore) ? "core-only" : undefined;
  if (isIn(usedByCore)) return "common";
  return isIn(usedByMiddleware) ? "middleware" : "application";
}

/** Of the two responses, an application imports one by the name `#response`. */
const responses = ["response/native", "response/node"];
const atStartOfIndex = modulesOf(["index", ...responses]);
const atStartOfCore = modulesOf(["core", ...responses]);
// With what is loaded later: otherwise that would load a file of code that only `index` uses.
const usedByCore = modulesOf(["core", ...responses], { lazily: true });
const usedByMiddleware = modulesOf(["middleware", "middleware/authorization"], { lazily: true });

/** Returns a function that returns the modules of entries: those that they import, or also load later. */
function modulesOf(names, { lazily = false } = {}) {
  let found;
  return (getModuleInfo) => {
    if (found !== undefined) return found;
    found = new Set();
    const visit = (id) => {
      if (found.has(id)) return;
      found.add(id);
      const { importedIds = [], dynamicallyImportedIds = [] } = getModuleInfo(id) ?? {};
      for (const imported of importedIds) visit(imported);
      if (lazily) for (const imported of dynamicallyImportedIds) visit(imported);
    };
    for (const name of names) visit(resolve("dist/modules", `${name}.js`));
    return found;
  };
}

export default [
  {
    input: { ...entries, ...conditional },
    external,
    treeshake: { moduleSideEffects: false },
    makeAbsoluteExternalsRelative: false,
    output: modules,
    plugins: [
      routerWasm,
      computedImports,
      typescript({
        tsconfig: "./tsconfig.json",
        compilerOptions,
        noEmitOnError: process.env.CI !== undefined,
      }),
    ],
  },
  {
    // The modules that have just been written, in fewer files.
    input: Object.fromEntries(
      [...Object.keys(entries), "response/native", "response/node"].map((name) => [
        name,
        `dist/modules/${name}.js`,
      ]),
    ),
    external: (id) => (id.startsWith("#") ? id === "#response" : external(id)),
    treeshake: { moduleSideEffects: false },
    output: {
      ...files(".js"),
      manualChunks: chunkOf,
      // A chunk that only loads a library later is empty, and would be merged with one that does not.
      experimentalMinChunkSize: 0,
      plugins: [withoutComments, removeOldChunks(".js")],
    },
    plugins: [resolvedNames],
  },
  {
    input: {
      ...entries,
      register: "src/register.ts",
      ...Object.fromEntries(conditionalTypes.map((name) => [name, conditional[name]])),
    },
    external,
    output: files(".d.ts"),
    plugins: [
      removeOldChunks(".d.ts"),
      dts({ tsconfig: "./tsconfig.json", compilerOptions: { stripInternal: true } }),
      registerTypes,
    ],
  },
  {
    input: { "cli/espalier": "src/cli/espalier.ts" },
    external: /^(node:|esbuild$)/,
    output: { ...files(".js"), banner: `#!/usr/bin/env node\n${notices()}` },
    plugins: [commandLine],
  },
];
