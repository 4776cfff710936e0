import { loadCronEngine } from "#drivers";
import { detectRuntime } from "#host";
import { PolicyRegistry } from "../auth/policies.ts";
import { Configuration } from "../config/configuration.ts";
import { EventBus } from "../events/event-bus.ts";
import { HealthChecks } from "../health/health-checks.ts";
import type { Invocation } from "../http/context.ts";
import { PluginHost } from "../plugins/plugin-host.ts";
import { Scheduler } from "../schedule/scheduler.ts";
import { nearestNames } from "../text/nearest-names.ts";
import type { Application } from "./application.ts";
import { CacheService } from "./cache-service.ts";
import { safely } from "./error-boundary.ts";
import { warnOfForgottenInject } from "./forgotten-inject.ts";
import type { JobContext } from "./job-context.ts";
import type { Kernel, KernelServices } from "./kernel.ts";
import type { ServiceOptions } from "./options.ts";
import { QueueService } from "./queue-service.ts";

/** What a whole application has beside routes, and when in its life each has its turn. */
export class Services implements KernelServices {
  readonly events: EventBus;
  readonly configuration: Configuration;
  readonly plugins: PluginHost<Application>;
  readonly policies: PolicyRegistry = new PolicyRegistry();
  readonly healthChecks: HealthChecks;
  readonly cache: CacheService;
  readonly queue: QueueService;
  readonly scheduler: Scheduler<JobContext>;
  readonly options: ServiceOptions;

  readonly #kernel: Kernel;
  readonly #application: Application;
  /** Cron triggers that were warned of: each would be one line a minute. */
  readonly #unusedTriggers = new Set<string>();

  constructor(kernel: Kernel, options: ServiceOptions, application: Application) {
    this.options = options;
    this.#kernel = kernel;
    this.#application = application;
    const { logger } = kernel;
    const { kv, queue } = options;
    const onCloudflare = detectRuntime() === "workerd";
    const environment = (): ReturnType<Kernel["environment"]> => kernel.environment();
    const background = (work: Promise<unknown>): void => kernel.background.keepAlive(work);
    this.events = new EventBus({ logger, keepAlive: background });
    const { events } = this;
    this.configuration = new Configuration(environment);
    this.plugins = new PluginHost(kernel.container);
    this.healthChecks = new HealthChecks(() => logger);
    this.cache = new CacheService({ kv, environment, onCloudflare, background, logger, events });
    this.queue = new QueueService({
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
  async prepare(problems: Error[]): Promise<void> {
    await this.plugins.register(this.#application);
    const issues = this.configuration.validateAll();
    for (const { section, field, message } of issues) {
      problems.push(new Error(`Configuration ${section}.${field}: ${message}`));
    }
    warnOfForgottenInject(this.#kernel.logger, this.#kernel.router.records);
    if (problems.length === 0) await this.plugins.boot(this.#application);
  }

  async becomeReady(): Promise<void> {
    const application = this.#application;
    // What was added after boot() is started now; from here on the host refuses it.
    await this.plugins.register(application);
    await this.plugins.boot(application);
    await this.plugins.ready(application);
    this.queue.becomeReady(this.scheduler.jobNames());
  }

  /** Begins what a process does beside answering requests: emptying its queue, following schedules. */
  async startWorking(): Promise<void> {
    if (this.queue.queue.hasHandlers) await this.queue.queue.start();
    await this.scheduler.start();
  }

  async stopWorking(): Promise<void> {
    await this.scheduler.stop();
    if (this.queue.isInUse) await this.queue.queue.stop();
  }

  async shutDown(): Promise<void> {
    await this.plugins.shutdown(this.#application);
  }

  /** Tells of a cron trigger whose text no schedule has; one may be there for the queue's jobs alone. */
  warnOfUnusedTrigger(cron: string): void {
    if (this.queue.queue.hasHandlers || this.#unusedTriggers.has(cron)) return;
    this.#unusedTriggers.add(cron);
    const nearest = nearestNames(cron, this.scheduler.crons());
    const message = `The cron trigger "${cron}" runs nothing: no app.schedule has this text.${nearest}`;
    safely(() => this.#kernel.logger.warn({ message }));
  }

  /** Where requests are all that wakes us, each may run the jobs that are due, after its response. */
  afterRequest({ executionContext }: Invocation): void {
    if (executionContext === undefined || !this.queue.isInUse) return;
    const env = this.#kernel.environment();
    const draining = this.queue.drainAfterRequest(() =>
      this.#kernel.createJobContext({ env, executionContext }),
    );
    if (draining !== undefined) this.#kernel.background.add(draining, executionContext);
  }
}
