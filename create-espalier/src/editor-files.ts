import type { Platform, Project } from "./choices.ts";
import { commandsOf } from "./package-managers.ts";

/** Port of the debugger of `wrangler dev`, `deno --inspect` and Node. */
const inspectorPort = 9229;

/** Returns the configuration of VS Code's debugger, which "Run and Debug" (F5) uses. */
export function editorFiles(project: Project): ReadonlyMap<string, string> {
  const configuration = {
    name: "Debug",
    request: "launch",
    ...debuggerOf(project)[project.platform],
  };
  const launch = { version: "0.2.0", configurations: [configuration] };
  return new Map([
    [".vscode/launch.json", `${withListsInLines(JSON.stringify(launch, null, 2))}\n`],
  ]);
}

/** Writes lists of strings in one line, as formatters do. */
function withListsInLines(json: string): string {
  return json.replace(/\[\s+("[^\]{]*")\s+\]/g, (_list, items: string) => {
    return `[${items.replace(/\s*\n\s*/g, " ")}]`;
  });
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
    // Needs the extension "Bun for Visual Studio Code".
    bun: { type: "bun", program: "src/server.ts", watchMode: true },
  };
}
