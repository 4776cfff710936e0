import { formatJson } from "./format-json.ts";

/** Returns the content of `biome.json`: the project's formatter and linter. */
export function biomeJson(): string {
  return formatJson({
    vcs: { enabled: true, clientKind: "git", useIgnoreFile: true },
    files: { includes: ["**", "!**/*.md", "!**/*.lock"] },
    formatter: { indentStyle: "space", lineWidth: 100 },
  });
}
