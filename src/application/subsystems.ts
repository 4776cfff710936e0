import { loadCronEngine } from "#drivers";
import { detectRuntime } from "#host";
import { PolicyRegistry } from "../auth/policies.ts";
import { Configuration } from "../config/configuration.ts";
import { EventBus } from "../events/event-bus.ts";
import { HealthChecks } from "../health/health-checks.ts";
import type { PlatformArguments } from "../http/context.ts";
import { PluginManager } from "../plugins/plugin-manager.ts";
import { Scheduler } from "../schedule/scheduler.ts";
import { logSafely } from "../util/log-safely.ts";
import { nearestNames } from "../util/nearest-names.ts";
import type { Application } from "./application.ts";
import { warnAboutMissingInject } from "./boot/missing-inject-warning.ts";
import { CacheSubsystem } from "./capabilities/cache.ts";
import { QueueSubsystem } from "./capabilities/queue.ts";
import type { JobContext } from "./job-context.ts";
import type { ServiceOptions } from "./options.ts";
import type { ApplicationRuntime, LifecycleHooks } from "./runtime.ts";

/** What a whole application has beside routes, and when in its life each has its turn. */
export class Subsystems implements LifecycleHooks {
  readonly events: EventBus;
  readonly configuration: Configuration;
  readonly plugins: PluginManager<Application>;
  readonly policies: PolicyRegistry = new PolicyRegistry();
  readonly healthChecks: HealthChecks;
  readonly cache: CacheSubsystem;
  readonly queue: QueueSubsystem;
  readonly scheduler: Scheduler<JobContext>;
  readonly options: ServiceOptions;

  readonly #kernel: ApplicationRuntime;
  readonly #application: Application;
  /** Cron triggers that were warned of: each would be one line a minute. */
  readonly #unusedTriggers = new Set<string>();

  constructor(kernel: ApplicationRuntime, options: ServiceOptions, application: Application) {
    this.options = options;
    this.#kernel = kernel;
    this.#application = application;
    const { logger } = kernel;
    const { kv, queue } = options;
    const onCloudflare = detectRuntime() === "workerd";
    const environment = (): ReturnType<ApplicationRuntime["environment"]> => kernel.environment();
    const background = (work: Promise<unknown>): void => kernel.background.keepAlive(work);
    this.events = new EventBus({ logger, keepAlive: background });
    const { events } = this;
    this.configuration = new Configuration(environment);
    this.plugins = new PluginManager(kernel.container);
    this.healthChecks = new HealthChecks(() => logger);
    this.cache = new CacheSubsystem({ kv, environment, onCloudflare, background, logger, events });
    this.queue = new QueueSubsystem({
      kv,
      queue,
      environment,
      createJobContext: () => kernel.createJobContext(),
      onCloudflare,
      background,
      logger,
      events,
    });
    this.scheduler = new Scheduler({
      createContext: () => kernel.createJobContext(),
      enqueue: (name, payload, enqueueOptions) =>
        this.queue.queue.enqueue(name, payload, enqueueOptions),
      logger,
      loadEngine: loadCronEngine,
    });
  }

  /** Starts plugins and checks the configuration, before names are resolved. */
  async onBoot(problems: Error[]): Promise<void> {
    await this.plugins.register(this.#application);
    const issues = this.configuration.validateAll();
    for (const { section, field, message } of issues) {
      problems.push(new Error(`Configuration ${section}.${field}: ${message}`));
    }
    warnAboutMissingInject(this.#kernel.logger, this.#kernel.router.records);
    if (problems.length === 0) await this.plugins.boot(this.#application);
  }

  async onReady(): Promise<void> {
    const application = this.#application;
    // What was added after boot() is started now; from here on the host refuses it.
    await this.plugins.register(application);
    await this.plugins.boot(application);
    await this.plugins.ready(application);
    this.queue.becomeReady(this.scheduler.jobNames());
  }

  /** Begins what a process does beside answering requests: emptying its queue, following schedules. */
  async startWorkers(): Promise<void> {
    if (this.queue.queue.hasHandlers) await this.queue.queue.start();
    await this.scheduler.start();
  }

  async stopWorkers(): Promise<void> {
    await this.scheduler.stop();
    if (this.queue.isInUse) await this.queue.queue.stop();
  }

  async onShutdown(): Promise<void> {
    await this.plugins.shutdown(this.#application);
  }

  /** Tells of a cron trigger whose text no schedule has; one may be there for the queue's jobs alone. */
  warnOfUnusedTrigger(cron: string): void {
    if (this.queue.queue.hasHandlers || this.#unusedTriggers.has(cron)) return;
    this.#unusedTriggers.add(cron);
    const nearest = nearestNames(cron, this.scheduler.crons());
    const message = `The cron trigger "${cron}" runs nothing: no app.schedule has this text.${nearest}`;
    logSafely(this.#kernel.logger, "warn", message);
  }

  /** Where requests are all that wakes us, each may run the jobs that are due, after its response. */
  afterRequest({ executionContext }: PlatformArguments): void {
    if (executionContext === undefined || !this.queue.isInUse) return;
    const env = this.#kernel.environment();
    const draining = this.queue.drainAfterRequest(() =>
      this.#kernel.createJobContext({ env, executionContext }),
    );
    if (draining !== undefined) this.#kernel.background.add(draining, executionContext);
  }
}
