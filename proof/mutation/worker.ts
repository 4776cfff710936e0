/*
 * Tests mutants sequentially in one Vitest process. For each, all modules of the repository are
 * evaluated again with the mutant active, and only the tests that reached it in the first run (without
 * mutants) run, until one fails.
 */
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { beforeAll, TestRunner, test, vi } from "vitest";
import * as runtime from "vitest/runtime";
import type { Order, Reach, Task } from "./order.ts";

const order: Order = JSON.parse(readFileSync(process.env["MUTATION_ORDER"] ?? "", "utf8"));

/** Global state of Stryker that instrumented sources read. */
interface Switchboard {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  mutantCoverage?: {
    static: Record<string, number>;
    perTest: Record<string, Record<string, number>>;
  };
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
}
const switchboard: Switchboard = {};
Reflect.set(globalThis, "__stryker__", switchboard);

/** Functions of Vitest's runner. */
interface Runner {
  startTests(files: readonly string[], runner: TestRunner): Promise<Task[]>;
  getFn(test: Task): () => Promise<void>;
}

/** Vitest does not export its runner; finds its functions by name in its internal module. */
async function findRunner(): Promise<Runner> {
  const chunks = join(
    dirname(createRequire(import.meta.url).resolve("vitest/package.json")),
    "dist/chunks",
  );
  const name = readdirSync(chunks).find((file) => /^run\..*\.js$/.test(file)) ?? "";
  const module = await import(/* @vite-ignore */ pathToFileURL(join(chunks, name)).href);
  const find = (wanted: string): never => {
    const found = Object.values(module).find(
      (value) => typeof value === "function" && value.name === wanted,
    );
    if (typeof found !== "function") throw new Error(`No ${wanted} in ${chunks}/${name}.`);
    return found as never;
  };
  return { startTests: find("startTests"), getFn: find("getFn") };
}

const testsOf = (task: Task): Task[] =>
  task.type === "test" ? [task] : (task.tasks ?? []).flatMap(testsOf);
const hasFailed = (task: Task): boolean =>
  task.result?.state === "fail" || (task.tasks ?? []).some(hasFailed);

/** Shared memory with `watch.ts`. */
const watched = new Int32Array(new SharedArrayBuffer(8));
new Worker(new URL("./watch.ts", import.meta.url), { workerData: watched }).unref();

/** Sets the CPU time limit of the run that starts now, in milliseconds. */
function allow(limitMs: number): void {
  watched[1] = limitMs;
  Atomics.add(watched, 0, 1);
}

/** Practically unlimited. */
const unlimitedMs = 2 ** 31 - 1;
allow(unlimitedMs);

/** Limits of a test with the active mutant. */
interface TestLimit {
  /** Maximum number of times that it may reach the mutant. */
  readonly hits: number;
  readonly cpuMs: number;
}
let limitOf: ((testId: string) => TestLimit) | undefined;

/** Runs selected tests of a file and stops at the first failure. */
class ChosenTests extends TestRunner {
  readonly #chosen: ReadonlySet<string> | undefined;
  failure: Task | undefined;

  constructor(chosen?: ReadonlySet<string>) {
    super(state.config);
    this.#chosen = chosen;
  }

  override importFile(path: string): unknown {
    return import(/* @vite-ignore */ path);
  }

  onCollected(files: Task[]): void {
    if (this.#chosen !== undefined) for (const file of files) this.#choose(file);
  }

  #choose(task: Task): boolean {
    const wanted =
      task.type === "test"
        ? this.#chosen?.has(task.id) === true
        : (task.tasks ?? []).map((child) => this.#choose(child)).some(Boolean);
    // A file counts even without selected tests: failing to load is a failure.
    if (!wanted && task.filepath === undefined) task.mode = "skip";
    return wanted;
  }

  override async onBeforeRunTask(task: never): Promise<void> {
    if (this.#chosen !== undefined && this.failure !== undefined) (task as Task).mode = "skip";
    const { id } = task as Task;
    switchboard.currentTestId = id;
    // The hit count of the test ends an endless loop.
    switchboard.hitCount = 0;
    const limit = limitOf?.(id);
    switchboard.hitLimit = limit?.hits;
    allow(limit?.cpuMs ?? unlimitedMs);
    await super.onBeforeRunTask(task);
  }

  /** Runs a test within its own limit: a mutant that waits for ever usually fails several tests. */
  async runTask(task: Task): Promise<void> {
    const run = getFn(task)();
    const durationMs = durationOf.get(task.id);
    if (durationMs === undefined) return await run;
    const limitMs = 2_000 + 2 * durationMs;
    const late = Promise.withResolvers<never>();
    // The first words are those of Vitest's own limit.
    const timer = setTimer(
      () => late.reject(new Error(`Test timed out in ${Math.round(limitMs)}ms.`)),
      limitMs,
    );
    try {
      await Promise.race([run, late.promise]);
    } finally {
      clearTimer(timer);
      // It may fail later.
      run.catch(() => {});
    }
  }

  override onAfterRunTask(task: never): void {
    if ((task as Task).result?.state === "fail") this.failure ??= task;
    switchboard.currentTestId = undefined;
    super.onAfterRunTask(task);
  }
}

// Missing in Vitest's types.
const state = Reflect.get(runtime, "__INTERNAL").getWorkerState();
const { startTests, getFn } = await findRunner();
const { setTimeout: setTimer, clearTimeout: clearTimer } = globalThis;

/** Globals that tests replace, by name. */
const replaced = Object.fromEntries(
  [
    "setTimeout",
    "clearTimeout",
    "setInterval",
    "clearInterval",
    "setImmediate",
    "Date",
    "fetch",
  ].map((name) => [name, Reflect.get(globalThis, name)]),
);

/** Test → its duration without mutants, in milliseconds. */
const durationOf = new Map<string, number>();

async function runFile(file: string, chosen?: ReadonlySet<string>): Promise<Task | undefined> {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  // A spy of a fake timer has just restored the fake one.
  Object.assign(globalThis, replaced);
  vi.resetModules();
  const runner = new ChosenTests(chosen);
  Reflect.set(runner, "_otel", {
    $: (_name: string, options: unknown, run?: () => unknown) =>
      (run ?? (options as () => unknown))(),
  });
  state.filepath = join(order.tree, file);
  allow(limitOf === undefined ? unlimitedMs : 60_000);
  const begin = performance.now();
  const [result] = await startTests([join(order.tree, file)], runner);
  const tookMs = performance.now() - begin;
  leastMs.set(file, Math.min(tookMs, leastMs.get(file) ?? tookMs));
  if (chosen === undefined) return result;
  return runner.failure ?? (result !== undefined && hasFailed(result) ? result : undefined);
}

/** Maximum duration of a test; slower ones are skipped, because every survivor would wait for them. */
const slowMs = 10_000;

/** Measures which tests reach which mutants, by running every file without mutants. */
async function measureReach(): Promise<Reach> {
  const reach: Reach = { tests: {}, hits: {}, hitsOfTests: {}, failing: [], slow: [] };
  for (const file of order.files) {
    const coverage = { static: {}, perTest: {} } as NonNullable<Switchboard["mutantCoverage"]>;
    switchboard.mutantCoverage = coverage;
    const result = await runFile(file);
    if (result === undefined) throw new Error(`${file} was not run.`);
    const passing = testsOf(result).filter((one) => one.result?.state === "pass");
    const isSlow = ({ result: outcome }: Task): boolean => (outcome?.duration ?? 0) > slowMs;
    reach.slow.push(...passing.filter(isSlow).map(({ name }) => `${file}: ${name}`));
    const tests = passing.filter((one) => !isSlow(one));
    const passed = new Map(tests.map((one) => [one.id, one.result?.duration ?? 0]));
    const tasks = testsOf(result);
    for (const one of tasks.length === 0 ? [result] : tasks) {
      if (one.result?.state === "fail") {
        reach.failing.push(`${file}: ${one.name}: ${messageOf(one)}`);
      }
    }
    const add = (mutant: string, test: string, hits: number): void => {
      reach.hits[mutant] = (reach.hits[mutant] ?? 0) + hits;
      reach.hitsOfTests[mutant] ??= {};
      reach.hitsOfTests[mutant][test] = (reach.hitsOfTests[mutant][test] ?? 0) + hits;
      reach.tests[mutant] ??= {};
      reach.tests[mutant][file] ??= {};
      reach.tests[mutant][file][test] = passed.get(test) ?? 0;
    };
    for (const [id, mutants] of Object.entries(coverage.perTest)) {
      if (!passed.has(id)) continue;
      for (const [mutant, hits] of Object.entries(mutants)) add(mutant, id, hits);
    }
    // Mutants reached while the file loads count for all its tests.
    for (const [mutant, hits] of Object.entries(coverage.static)) {
      for (const id of passed.keys()) add(mutant, id, hits);
    }
  }
  return reach;
}

const say = (line: object): void => appendFileSync(order.progress, `${JSON.stringify(line)}\n`);

const messageOf = (task: Task | undefined): string => task?.result?.errors?.[0]?.message ?? "";

/** Returns true for a timing failure, which load on the machine can cause as well. */
const isAboutTime = (task: Task): boolean => /to be less than|timed out/.test(messageOf(task));

/** Returns the failure if the same test passes without the mutant; otherwise a later failure, or none. */
async function failsAgain(
  id: string,
  file: string,
  failure: Task,
  tests: Set<string>,
): Promise<Task | undefined> {
  if (failure.type !== "test") return failure;
  switchboard.activeMutant = undefined;
  const withoutMutant = await runFile(file, new Set([failure.id]));
  switchboard.activeMutant = id;
  if (withoutMutant === undefined) {
    const again = await runFile(file, new Set([failure.id]));
    if (again !== undefined) return again;
  }
  tests.delete(failure.id);
  return await runFile(file, tests);
}

/** Tests that killed the last mutants, newest first: neighbouring mutants are often killed by the same test. */
const recent: { readonly file: string; readonly test: string }[] = [];
const remembered = 40;
/** Test file → minimum time of its modules and some of its tests. */
const leastMs = new Map<string, number>();

/** Tests of a file that run together. */
interface ChosenFile {
  readonly file: string;
  readonly tests: Set<string>;
  readonly durationMs: number;
}

/** Maximum duration of a quick test, and that of all tests for which a file is not loaded twice. */
const quickMs = 250;
const togetherMs = 3_000;

/** Returns the tests of a file; those that take long apart, so that they run last. */
function choose(file: string, durations: Readonly<Record<string, number>>): ChosenFile[] {
  const all = Object.entries(durations);
  const sum = (some: typeof all): number => some.reduce((total, [, ms]) => total + ms, 0);
  const groups =
    sum(all) <= togetherMs
      ? [all]
      : [all.filter(([, ms]) => ms <= quickMs), all.filter(([, ms]) => ms > quickMs)];
  return groups
    .filter((group) => group.length > 0)
    .map((group) => ({ file, tests: new Set(group.map(([id]) => id)), durationMs: sum(group) }));
}

/** Sorts by kills and cost: effective, cheap tests first. */
function inOrder(files: readonly ChosenFile[]): readonly ChosenFile[] {
  const worth = ({ file, durationMs }: ChosenFile): number =>
    (0.5 + recent.filter((one) => one.file === file).length) /
    ((leastMs.get(file) ?? 150) + durationMs);
  return files.toSorted((one, other) => worth(other) - worth(one));
}

/** Runs the tests until one fails, starting with the one that killed the previous mutant. */
async function findFailure(
  id: string,
  files: readonly ChosenFile[],
): Promise<{ readonly file: string; readonly failure: Task } | undefined> {
  const last = recent[0];
  const isChosen = files.some(({ file, tests }) => file === last?.file && tests.has(last.test));
  const again =
    last !== undefined && isChosen ? await runFile(last.file, new Set([last.test])) : undefined;
  if (last !== undefined && again !== undefined && !isAboutTime(again)) {
    return { file: last.file, failure: again };
  }
  for (const { file, tests } of inOrder(files)) {
    let failure = await runFile(file, tests);
    if (failure !== undefined && isAboutTime(failure)) {
      failure = await failsAgain(id, file, failure, tests);
    }
    if (failure !== undefined) return { file, failure };
  }
  return undefined;
}

async function testMutant(id: string, reach: Reach): Promise<void> {
  const files = Object.entries(reach.tests[id] ?? {}).flatMap(([file, tests]) =>
    choose(file, tests),
  );
  say({ start: id, durationMs: files.reduce((sum, one) => sum + one.durationMs, 0) });
  const hitsFor = (hits: number): number => 1_000 + 100 * hits;
  const hits = reach.hits[id] ?? 0;
  switchboard.hitCount = 0;
  // While a file is loaded.
  switchboard.hitLimit = hitsFor(hits);
  limitOf = (test) => ({
    hits: hitsFor(reach.hitsOfTests?.[id]?.[test] ?? hits),
    cpuMs: 3_000 + 10 * (durationOf.get(test) ?? 0),
  });
  switchboard.activeMutant = id;
  const found = await findFailure(id, files);
  switchboard.activeMutant = undefined;
  limitOf = undefined;
  if (found !== undefined) recent.unshift({ file: found.file, test: found.failure.id });
  recent.length = Math.min(recent.length, remembered);
  const message = messageOf(found?.failure);
  const endless = message.startsWith("Stryker: Hit count limit reached");
  const waited = /timed out in \d+ms/.test(message);
  const status = found === undefined ? "survived" : endless || waited ? "timeout" : "killed";
  say({ id, status, by: found?.failure.name, message: message.slice(0, 160) });
}

/**
 * Runs every test that reaches a mutant, without an active mutant. Throws if one fails, since results
 * with mutants would be meaningless.
 */
async function provePassing(reach: Reach): Promise<void> {
  const all = new Map<string, Set<string>>(order.files.map((file) => [file, new Set()]));
  for (const files of Object.values(reach.tests)) {
    for (const [file, tests] of Object.entries(files)) {
      for (const id of Object.keys(tests)) all.get(file)?.add(id);
    }
  }
  for (const [file, tests] of all) {
    const failure = await runFile(file, tests);
    if (failure === undefined || isAboutTime(failure)) continue;
    const message = `${file}, "${failure.name}" fails without a mutant: ${messageOf(failure)}`;
    // Vitest reports an error of its own instead: the inner runs have cleared the state of the outer one.
    console.error(message);
    throw new Error(message);
  }
}

// In a hook, because Vitest rejects tests that are declared while a test runs.
beforeAll(async () => {
  if (!existsSync(order.reach)) writeFileSync(order.reach, JSON.stringify(await measureReach()));
  const reach: Reach = JSON.parse(readFileSync(order.reach, "utf8"));
  for (const files of Object.values(reach.tests)) {
    for (const tests of Object.values(files)) {
      for (const [id, ms] of Object.entries(tests)) durationOf.set(id, ms);
    }
  }
  if (order.isFirst !== false) await provePassing(reach);
  for (const id of order.mutants) {
    if (reach.tests[id] === undefined) say({ id, status: "noCoverage" });
    else await testMutant(id, reach);
    allow(unlimitedMs);
    // The driver starts another process for the rest.
    if (process.memoryUsage().rss > 1_500_000_000) break;
  }
}, 0);
test("mutants are tested", () => {});
