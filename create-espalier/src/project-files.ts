import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { biomeJson } from "./biome-json.ts";
import { type Project, platformTitles } from "./choices.ts";
import { denoJson, tsconfigJson } from "./compiler-options.ts";
import { editorFiles } from "./editor-files.ts";
import { environmentFile, environmentFiles } from "./environment-files.ts";
import { packageJson } from "./package-json.ts";
import { packageManagerFiles } from "./package-manager-files.ts";
import { commandsOf } from "./package-managers.ts";
import { workerName } from "./package-name.ts";
import { renderTemplate, type TemplateContext } from "./render-template.ts";

const templates = fileURLToPath(new URL("../templates", import.meta.url));

/**
 * Returns the files of a project by path, with forward slashes: the templates of `base`, of the
 * platform and of each feature, and the generated configuration files.
 */
export function projectFiles(project: Project): ReadonlyMap<string, string> {
  const files = new Map([
    ["package.json", packageJson(project)],
    ["biome.json", biomeJson()],
  ]);
  if (project.platform === "deno") files.set("deno.json", denoJson(project));
  else files.set("tsconfig.json", tsconfigJson(project.platform));

  const context = templateContext(project);
  for (const folder of ["base", project.platform, ...project.features]) {
    for (const [path, template] of readTemplates(folder)) {
      files.set(path, renderTemplate(template, context));
    }
  }
  for (const [path, text] of environmentFiles(project)) files.set(path, text);
  for (const [path, text] of packageManagerFiles(project)) files.set(path, text);
  for (const [path, text] of editorFiles(project)) files.set(path, text);
  return files;
}

function templateContext(project: Project): TemplateContext {
  const { name, platform, features, packageManager } = project;
  const { install, run, execute, lockfile, installProduction } = commandsOf[packageManager];
  return {
    flags: new Set([platform, ...features]),
    values: new Map(
      Object.entries({
        name,
        worker: workerName(name),
        platform: platformTitles[platform],
        entry: platform === "cloudflare" ? "worker.ts" : "server.ts",
        url: platform === "cloudflare" ? "http://localhost:8787" : "http://localhost:3000",
        environmentFile: environmentFile(project),
        install,
        run,
        execute,
        lockfile,
        installProduction,
      }),
    ),
  };
}

/** Returns the templates of a folder by output path; `_gitignore` becomes `.gitignore`. */
function readTemplates(folder: string): [path: string, template: string][] {
  const root = join(templates, folder);
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      const path = file.slice(root.length + 1).replaceAll(sep, "/");
      return [path.replace(/(^|\/)_/, "$1."), readFileSync(file, "utf8")];
    });
}
