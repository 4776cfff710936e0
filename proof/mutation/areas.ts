import { noPostgres } from "../../test/support/postgres-server.ts";
import { noRedis } from "../../test/support/redis-server.ts";

/** The mutated sources of an area, and the tests that must detect the mutants. */
export interface Area {
  /** Globs of the mutated sources, from the root of the repository. */
  readonly mutate: readonly string[];
  /** Globs of excluded sources. */
  readonly except?: readonly string[];
  /** Globs of the test files. They run in one process; they may start a database, but must not listen or start a runtime. */
  readonly tests: readonly string[];
  /** Globs of excluded test files. */
  readonly exceptTests?: readonly string[];
  /** Time of a mutant beyond that of its tests before its process is killed. */
  readonly limitMs: number;
  /** Timeout of a test; default 8 s. Longer for CPU-bound tests. */
  readonly testMs?: number;
  /** Why its tests cannot run on this machine; undefined if they can. */
  readonly skippedBecause?: string | undefined;
}

/** Tests that need another process, or test only types. */
const OTHER_PROCESSES: readonly string[] = [
  "test/**/*runtimes.test.ts",
  "test/**/types.test.ts",
  "test/**/*-types.test.ts",
  "test/**/runtime/**",
  "test/**/workerd/**",
  "test/**/*-workerd.test.ts",
];

/** Tests of the application that listen, or start workerd. */
const SERVERS: readonly string[] = [
  "test/application/{cache,failing-turns,late-registration,listen,missing-bindings,queue}.test.ts",
];

export const areas: Readonly<Record<string, Area>> = {
  validation: {
    mutate: ["src/validation/*.ts"],
    tests: [
      "test/validation/*.test.ts",
      "test/application/response-check.test.ts",
      "test/openapi/{components,document,errors}.test.ts",
      "test/spec/validation.test.ts",
      "test/peers/validation.test.ts",
    ],
    limitMs: 20_000,
  },
  pipeline: {
    mutate: ["src/pipeline/*.ts", "src/application/request/handle.ts"],
    tests: [
      "test/pipeline/*.test.ts",
      "test/application/*.test.ts",
      "test/spec/{request-flow,errors,built-in-middleware}.test.ts",
      "test/peers/middleware.test.ts",
    ],
    exceptTests: [...OTHER_PROCESSES, ...SERVERS],
    limitMs: 20_000,
  },
  matcher: {
    mutate: ["src/routing/*.ts"],
    tests: [
      "test/routing/*.test.ts",
      "test/controllers/contract.test.ts",
      "test/faults/routing.test.ts",
      "test/spec/router.test.ts",
      "test/peers/routing.test.ts",
    ],
    exceptTests: ["test/routing/differential.test.ts"],
    limitMs: 60_000,
    testMs: 60_000,
  },
  auth: {
    mutate: ["src/auth/*.ts", "src/util/base64url.ts", "src/middleware/*auth*.ts"],
    tests: [
      "test/auth/*.test.ts",
      "test/faults/{foreign-tokens,policies,revocation,sign-ins}.test.ts",
      "test/spec/authentication.test.ts",
      "test/peers/access.test.ts",
    ],
    // One bundles an application, the other reads types, which the mutated copy lacks.
    exceptTests: [...OTHER_PROCESSES, "test/auth/guide{,-refresh-tokens}.test.ts"],
    limitMs: 30_000,
  },
  cors: {
    mutate: ["src/middleware/{cors,allowed-origins}.ts"],
    tests: [
      "test/middleware/{cors,option-names,csrf}.test.ts",
      "test/faults/cors.test.ts",
      "test/spec/built-in-middleware.test.ts",
      "test/peers/cors.test.ts",
    ],
    limitMs: 20_000,
  },
  "rate-limit": {
    mutate: ["src/rate-limit/*.ts", "src/middleware/rate-limit*.ts"],
    tests: [
      "test/middleware/rate-limit{,-store,-object,-bindings,-stores}.test.ts",
      "test/middleware/option-names.test.ts",
      "test/faults/rate-limits.test.ts",
      "test/spec/built-in-middleware.test.ts",
    ],
    limitMs: 30_000,
  },
  queue: {
    mutate: ["src/queue/*.ts"],
    tests: ["test/queue/*.test.ts", "test/faults/failing-queue.test.ts", "test/spec/queue.test.ts"],
    exceptTests: [
      ...OTHER_PROCESSES,
      // They run for many seconds.
      "test/queue/{deno-kv-queue,enqueue-costs,kv-queue-faults,semantics}.test.ts",
    ],
    limitMs: 30_000,
  },
  "kv-queue": {
    mutate: [
      "src/platform/cloudflare/kv-queue-*.ts",
      "src/platform/cloudflare/kv-{held-jobs,recent-writes,taken-ids}.ts",
      "src/platform/cloudflare/queue-{job-keys,persistence}.ts",
    ],
    // The seconds of simulated faults in kv-queue-faults.test.ts would be skipped as too slow.
    tests: ["test/queue/kv-queue{,-candidates,-ids,-rules,-writes}.test.ts"],
    limitMs: 30_000,
  },
  "cloudflare-queues": {
    mutate: ["src/platform/cloudflare/{cloudflare-queues-adapter,find-queue-binding}.ts"],
    tests: ["test/queue/queues-{batches,messages,queue}.test.ts"],
    limitMs: 30_000,
  },
  "durable-objects": {
    mutate: [
      "src/platform/cloudflare/durable-object-{lock-store,queue-adapter,rate-limit-store}.ts",
      "src/platform/cloudflare/{lock,queue,rate-limit}-durable-object.ts",
      "src/platform/cloudflare/queue-object-*.ts",
    ],
    tests: [
      "test/platform/cloudflare/*.test.ts",
      "test/queue/durable-object-queue.test.ts",
      "test/middleware/{rate-limit-bindings,rate-limit-object}.test.ts",
      "test/lock/durable-object-lock.test.ts",
    ],
    limitMs: 60_000,
    // 10,000 requests of one object.
    testMs: 30_000,
  },
  "deno-kv": {
    mutate: ["src/platform/deno/*.ts"],
    tests: [
      "test/queue/deno-kv-{listening,lookups,messages,queue}.test.ts",
      "test/cache/deno-kv-store.test.ts",
      "test/platform/find-deno-kv.test.ts",
    ],
    limitMs: 60_000,
    // Some tests wait for real seconds.
    testMs: 20_000,
  },
  postgres: {
    mutate: ["src/postgres/*.ts"],
    tests: ["test/postgres/*.test.ts"],
    skippedBecause: noPostgres,
    limitMs: 60_000,
    // Some tests wait for real seconds.
    testMs: 20_000,
  },
  bullmq: {
    mutate: ["src/bullmq/*.ts"],
    tests: ["test/bullmq/*.test.ts"],
    skippedBecause: noRedis,
    limitMs: 60_000,
    testMs: 20_000,
  },
  redis: {
    mutate: ["src/redis/*.ts"],
    tests: [
      "test/redis/redis-{broadcast,broadcast-connection,clients,eviction,faults,remember,stores}.test.ts",
    ],
    skippedBecause: noRedis,
    limitMs: 60_000,
    testMs: 20_000,
  },
  cache: {
    mutate: ["src/cache/*.ts", "src/platform/cloudflare/kv-cache-store.ts"],
    tests: [
      "test/cache/*.test.ts",
      "test/application/{cache,service-options}.test.ts",
      "test/faults/{failing-stores,shared-caches}.test.ts",
      "test/peers/caching.test.ts",
      "test/spec/cache.test.ts",
    ],
    exceptTests: ["test/cache/{deno,deno-kv-store,types,workerd}.test.ts"],
    limitMs: 30_000,
  },
  session: {
    mutate: ["src/middleware/session*.ts", "src/util/keyed-lock.ts"],
    tests: [
      "test/middleware/{option-names,session,session-interleavings,session-rules}.test.ts",
      "test/{faults,peers}/sessions.test.ts",
      "test/util/keyed-lock.test.ts",
      "test/spec/built-in-middleware.test.ts",
    ],
    limitMs: 30_000,
  },
  lock: {
    mutate: ["src/lock/*.ts"],
    tests: ["test/lock/{lock-rules,locks}.test.ts"],
    limitMs: 30_000,
  },
  controllers: {
    mutate: ["src/controllers/*.ts"],
    tests: [
      "test/controllers/*.test.ts",
      "test/spec/{controller,request-flow,response-envelopes}.test.ts",
      "test/application/{boot,request-flow,response-check,usual-mistakes}.test.ts",
    ],
    exceptTests: OTHER_PROCESSES,
    limitMs: 20_000,
  },
  compile: {
    mutate: ["src/application/boot/*.ts"],
    tests: [
      "test/application/*.test.ts",
      "test/application/boot/*.test.ts",
      "test/spec/{request-flow,router,controller}.test.ts",
      "test/faults/policies.test.ts",
    ],
    exceptTests: [...OTHER_PROCESSES, ...SERVERS],
    limitMs: 20_000,
  },
  errors: {
    mutate: [
      "src/application/request/{body-failures,debug-*,error-*,request-events,unmatched}.ts",
      "src/http/{body-failure,http-error,problem-details}.ts",
    ],
    tests: [
      "test/application/{debug-response,error-rules,errors,request-flow}.test.ts",
      "test/http/{http-error,platform-invocation,problem-details}.test.ts",
      "test/spec/{errors,problem-details,router}.test.ts",
    ],
    limitMs: 20_000,
  },
};
