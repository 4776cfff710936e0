import type { Platform, Project } from "./choices.ts";

/** The types each platform brings, and those of the Web that it leaves out. */
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

/** `tsconfig.json`, as text; not for Deno, which reads {@link denoJson}. */
export function tsconfigJson(platform: Exclude<Platform, "deno">): string {
  const configuration = {
    compilerOptions: {
      target: "esnext",
      module: "esnext",
      moduleResolution: "bundler",
      ...environments[platform],
      ...strictness,
      verbatimModuleSyntax: true,
      // Platforms drop the types and run what is left.
      erasableSyntaxOnly: true,
      allowImportingTsExtensions: true,
      skipLibCheck: true,
      noEmit: true,
    },
    include: ["src", "test"],
  };
  return formatJson(configuration);
}

/** `deno.json`, as text. Deno takes dependencies and tasks from package.json. */
export function denoJson({ features }: Project): string {
  return formatJson({
    compilerOptions: strictness,
    ...((features.has("queue") || features.has("cache")) && { unstable: ["kv"] }),
  });
}

/** JSON with lists of texts on one line, as formatters have them. */
function formatJson(value: object): string {
  const text = JSON.stringify(value, null, 2);
  const lists = /\[\s+("[^[\]{}]*")\s+\]/g;
  return `${text.replace(lists, (_, items: string) => `[${items.replace(/\s+/g, " ")}]`)}\n`;
}
