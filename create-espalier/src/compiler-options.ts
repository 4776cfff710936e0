import type { Platform, Project } from "./choices.ts";
import { formatJson } from "./format-json.ts";

/** Type packages of each platform, and the libraries for Web APIs that they do not declare. */
const environments: Readonly<Record<Exclude<Platform, "deno">, object>> = {
  cloudflare: { lib: ["esnext"], types: ["@cloudflare/workers-types"] },
  node: { lib: ["esnext", "webworker", "webworker.iterable"], types: ["node"] },
  bun: { lib: ["esnext"], types: ["bun"] },
};

const strictness = {
  strict: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
};

/** Returns the content of `tsconfig.json`; not used on Deno, which reads {@link denoJson}. */
export function tsconfigJson(platform: Exclude<Platform, "deno">): string {
  const configuration = {
    compilerOptions: {
      target: "esnext",
      module: "esnext",
      moduleResolution: "bundler",
      ...environments[platform],
      ...strictness,
      verbatimModuleSyntax: true,
      // The platforms run TypeScript by stripping types.
      erasableSyntaxOnly: true,
      allowImportingTsExtensions: true,
      skipLibCheck: true,
      noEmit: true,
    },
    include: ["src", "test"],
  };
  return formatJson(configuration);
}

/** Returns the content of `deno.json`. Deno reads dependencies and tasks from package.json. */
export function denoJson({ features }: Project): string {
  return formatJson({
    compilerOptions: strictness,
    ...((features.has("queue") || features.has("cache")) && { unstable: ["kv"] }),
  });
}
