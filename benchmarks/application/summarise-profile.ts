/** The subset of V8's profile format used here. */
interface Profile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly children?: readonly number[];
  readonly callFrame: {
    readonly functionName: string;
    readonly url: string;
    readonly lineNumber: number;
  };
}

/**
 * Returns the functions of a bundle in a `.cpuprofile` as lines of text: each with its self time, and
 * with the time of the runtime's functions that it called (responses, headers, promises). The bundle
 * is the file with the given name; functions not called from it are listed by their own names.
 */
export function summariseProfile(json: string, bundleName: string, count: number): string {
  const { nodes, samples, timeDeltas } = JSON.parse(json) as Profile;
  const parents = new Map<number, number>();
  const byId = new Map<number, ProfileNode>();
  for (const node of nodes) {
    byId.set(node.id, node);
    for (const child of node.children ?? []) parents.set(child, node.id);
  }
  const isBundled = (id: number) => byId.get(id)?.callFrame.url.endsWith(bundleName) === true;
  const callerOf = (id: number): number => {
    let at: number | undefined = id;
    while (at !== undefined && !isBundled(at)) at = parents.get(at);
    return at ?? id;
  };
  const own = new Map<string, number>();
  const whole = new Map<string, number>();
  let total = 0;
  for (const [i, id] of samples.entries()) {
    const node = byId.get(id);
    if (node === undefined || node.callFrame.functionName === "(idle)") continue;
    const micros = timeDeltas[i] ?? 0;
    const name = nameOf(byId.get(callerOf(id)) ?? node);
    whole.set(name, (whole.get(name) ?? 0) + micros);
    if (isBundled(id)) own.set(name, (own.get(name) ?? 0) + micros);
    total += micros;
  }
  const percent = (micros: number) => `${((micros / total) * 100).toFixed(1).padStart(6)} %`;
  const lines = [...whole]
    .sort(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(([name, micros]) => `${percent(micros)} ${percent(own.get(name) ?? 0)}  ${name}`);
  return ["   whole      own  function", ...lines].join("\n");
}

function nameOf({ callFrame }: ProfileNode): string {
  const { functionName, url, lineNumber } = callFrame;
  const place = url === "" ? "" : ` ${url.split("/").slice(-2).join("/")}:${lineNumber + 1}`;
  return `${functionName || "(anonymous)"}${place}`;
}
