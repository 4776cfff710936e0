import type { ModuleExports } from "../loading/import-entry.ts";
import {
  bindClass,
  createClass,
  type DoctorContext,
  error,
  type Finding,
  good,
  misspelling,
  warning,
} from "./doctor-context.ts";

/** All Durable Object classes of `espalier/cloudflare` that a Worker exports unchanged. */
const objectClasses: readonly string[] = [
  "BroadcastDurableObject",
  "LockDurableObject",
  "QueueDurableObject",
  "RateLimitDurableObject",
];

/** Base class of rooms, which an application extends. */
const roomClass = "RoomDurableObject";

/**
 * Checks the Durable Objects of broadcasts, locks and rooms, and the classes of all Durable Objects. The application
 * reads these bindings itself, so they are found by their class.
 */
export function checkObjects(patient: DoctorContext): readonly Finding[] {
  const { config, inspection } = patient;
  const { broadcastAdapter, lockStore } = inspection;
  return [
    ...checkEngine(patient, broadcastAdapter, {
      engine: "DurableObjectBroadcastAdapter",
      className: "BroadcastDurableObject",
      name: "BROADCAST",
      subject: "Broadcasts",
    }),
    ...checkEngine(patient, lockStore, {
      engine: "DurableObjectLockStore",
      className: "LockDurableObject",
      name: "LOCK",
      subject: "Locks",
    }),
    ...roomsOf(patient.exports).map((className) => checkRoom(patient, className)),
    ...config.objects.flatMap((object) =>
      object.scriptName === undefined ? checkClass(patient, object.className) : [],
    ),
  ];
}

interface EngineObject {
  /** Class of the adapter or store. */
  readonly engine: string;
  /** Class of its Durable Object. */
  readonly className: string;
  /** Usual name of the binding. */
  readonly name: string;
  readonly subject: string;
}

/** Identifies an engine by the name of its class, since it may come from another copy of the package. */
function checkEngine(
  patient: DoctorContext,
  used: object | undefined,
  { engine, className, name, subject }: EngineObject,
): readonly Finding[] {
  if (used?.constructor.name !== engine) return [];
  const problem = `${subject} use a ${engine}, but no Durable Object binding has the class "${className}".`;
  return [checkBinding(patient, { className, name, subject, problem, report: error })];
}

interface BindingCheck {
  readonly className: string;
  /** Usual name of the binding. */
  readonly name: string;
  readonly subject: string;
  /** Message if no binding has the class. */
  readonly problem: string;
  /** Creates the finding of a missing binding, unless the class of another one is misspelt. */
  readonly report: typeof error | typeof warning;
}

/** Checks that a Durable Object binding has a class. */
function checkBinding({ config }: DoctorContext, check: BindingCheck): Finding {
  const { className, name, subject, problem, report } = check;
  const binding = config.objects.find((object) => object.className === className);
  if (binding !== undefined)
    return good(`${subject} use the Durable Object binding ${binding.name}`);
  const bound = config.objects.map((object) => object.className);
  const hint = misspelling(className, bound);
  return hint === "" ? report(problem, bindClass(config, name, className)) : error(problem + hint);
}

/** Returns the exported classes of rooms. */
function roomsOf(exports: ModuleExports): readonly string[] {
  return Object.entries(exports)
    .filter(([, value]) => typeof value === "function" && extendsRoom(value))
    .map(([name]) => name);
}

function extendsRoom(value: object): boolean {
  const base: unknown = Object.getPrototypeOf(value);
  if (typeof base !== "function") return false;
  return base.name === roomClass || extendsRoom(base);
}

function checkRoom(patient: DoctorContext, className: string): Finding {
  const problem = `The class "${className}" is a room, but no Durable Object binding has it.`;
  const room = { className, name: "ROOMS", subject: "Rooms", problem };
  // Not an error: the Worker may export a room that another one binds.
  return checkBinding(patient, { ...room, report: warning });
}

/** Checks that a class is exported and created; otherwise the deployment fails. */
function checkClass({ config, exports }: DoctorContext, className: string): readonly Finding[] {
  if (typeof exports[className] !== "function") {
    const how = objectClasses.includes(className)
      ? ` Add: export { ${className} } from "espalier/cloudflare";`
      : misspelling(className, [...objectClasses, ...Object.keys(exports)]);
    return [error(`${config.main} does not export the class "${className}".${how}`)];
  }
  if (config.createdClasses.includes(className)) return [];
  const problem = config.declaresClasses
    ? `"exports" does not declare the class "${className}".`
    : `No migration creates the class "${className}".`;
  return [error(problem, createClass(config, className, "v1"))];
}
