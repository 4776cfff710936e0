import { EspalierError } from "../errors.ts";
import { nearestNames } from "../util/nearest-names.ts";

/** Input of the plugin ordering. */
export interface Dependent {
  readonly label: string;
  readonly name: string | undefined;
  readonly dependsOn: readonly string[];
  readonly reached: string;
}

/**
 * Returns the first item, in registration order, that is not registered yet and whose dependencies all are;
 * undefined if every remaining item is waiting.
 */
export function nextToRegister<Item extends Dependent>(items: readonly Item[]): Item | undefined {
  return items.find((item) => isWaiting(item) && unmetBy(item, items).length === 0);
}

/**
 * Throws if items are still waiting for a dependency.
 *
 * @throws EspalierError `ERR_PLUGIN_DEPENDENCY`: every missing plugin with the nearest names, or
 *   the chain of a cycle
 */
export function refuseWaiting(items: readonly Dependent[]): void {
  const waiting = items.filter(isWaiting);
  const [first] = waiting;
  if (first === undefined) return;
  const names = items.map(({ name }) => name).filter((name) => name !== undefined);
  const missing = waiting.flatMap((item) =>
    item.dependsOn
      .filter((name) => !names.includes(name))
      .map((name) => {
        const others = names.filter((other) => other !== item.name);
        return (
          `${item.label} depends on "${name}", which is not registered.` +
          nearestNames(name, others)
        );
      }),
  );
  const chain = cycleFrom(first, items).join(" → ");
  const cycle = `Plugins depend on each other in a cycle: ${chain}.`;
  const message = missing.length > 0 ? missing.join("\n") : cycle;
  throw new EspalierError("ERR_PLUGIN_DEPENDENCY", message);
}

function isWaiting(item: Dependent): boolean {
  return item.reached === "nothing";
}

/** Returns the dependencies of an item that are not registered yet; a shared name needs all its items. */
function unmetBy(item: Dependent, items: readonly Dependent[]): readonly string[] {
  return item.dependsOn.filter((name) => {
    const meant = items.filter((other) => other.name === name);
    return meant.length === 0 || meant.some(isWaiting);
  });
}

/** Returns the names of a cycle reachable from `start`, with the first one repeated last. */
function cycleFrom(start: Dependent, items: readonly Dependent[]): readonly string[] {
  const path: Dependent[] = [];
  let item: Dependent | undefined = start;
  while (item !== undefined && !path.includes(item)) {
    path.push(item);
    const [unmet] = unmetBy(item, items);
    item = items.find((other) => other.name === unmet && isWaiting(other));
  }
  const cycle = item === undefined ? path : [...path.slice(path.indexOf(item)), item];
  return cycle.map(({ name }) => `"${name}"`);
}
