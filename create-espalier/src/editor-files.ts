import type { Platform, Project } from "./choices.ts";
import { formatJson } from "./format-json.ts";
import { commandsOf } from "./package-managers.ts";

/** Port of the debugger of `wrangler dev`, `deno --inspect` and Node. */
const inspectorPort = 9229;

/** Extension of VS Code that supports the platform, beside that of Biome. */
const extensionOf: Readonly<Partial<Record<Platform, string>>> = {
  deno: "denoland.vscode-deno",
  bun: "oven.bun-vscode",
};

/** Returns the files of VS Code: settings, recommended extensions, and the configuration of "Run and Debug" (F5). */
export function editorFiles(project: Project): ReadonlyMap<string, string> {
  const { platform } = project;
  const settings = {
    "editor.defaultFormatter": "biomejs.biome",
    "editor.formatOnSave": true,
    ...(platform === "deno" && { "deno.enable": true }),
  };
  const recommendations = ["biomejs.biome", extensionOf[platform]].filter(
    (name) => name !== undefined,
  );
  const configuration = { name: "Debug", request: "launch", ...debuggerOf(project)[platform] };
  return new Map([
    [".vscode/settings.json", formatJson(settings)],
    [".vscode/extensions.json", formatJson({ recommendations })],
    [".vscode/launch.json", formatJson({ version: "0.2.0", configurations: [configuration] })],
  ]);
}

function debuggerOf({ packageManager }: Project): Readonly<Record<Platform, object>> {
  const dev = `${commandsOf[packageManager].run} dev`;
  return {
    // Attaches to the Worker of a running `wrangler dev`.
    cloudflare: {
      name: "Attach to wrangler dev",
      type: "node",
      request: "attach",
      port: inspectorPort,
      cwd: "/",
      resolveSourceMapLocations: null,
      attachExistingChildren: false,
      autoAttachChildProcesses: false,
    },
    node: { type: "node-terminal", command: dev },
    deno: {
      type: "node",
      runtimeExecutable: "deno",
      runtimeArgs: ["run", "--inspect-wait", "--allow-net", "--allow-env"],
      program: "src/server.ts",
      attachSimplePort: inspectorPort,
    },
    bun: { type: "bun", program: "src/server.ts", watchMode: true },
  };
}
