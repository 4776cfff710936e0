import packageJson from "../package.json" with { type: "json" };

const entries = Object.keys(packageJson.exports).filter(
  (path) => path !== "./package.json" && !path.endsWith(".wasm"),
);

/** @type {import("typedoc").TypeDocOptions & import("typedoc-plugin-markdown").PluginOptions} */
export default {
  entryPoints: entries.map((path) => `../src/${path === "." ? "index" : path.slice(2)}.ts`),
  tsconfig: "../tsconfig.json",
  out: "../docs/reference/api",
  plugin: ["typedoc-plugin-markdown", "./name-entries.mjs"],
  name: "API",
  readme: "none",
  router: "member",
  entryFileName: "index",
  hideBreadcrumbs: true,
  hidePageHeader: true,
  disableSources: true,
  excludePrivate: true,
  excludeInternal: true,
  sanitizeComments: true,
  parametersFormat: "table",
  interfacePropertiesFormat: "table",
  typeAliasPropertiesFormat: "table",
  // Types that are part of public types but rarely named by users, such as `Backoff`.
  validation: { notExported: false },
  pageTitleTemplates: { member: ({ name }) => name },
};
