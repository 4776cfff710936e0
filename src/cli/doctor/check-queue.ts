import type { QueueConsumer } from "../wrangler/read-config.ts";
import {
  type DoctorContext,
  error,
  type Finding,
  good,
  misspelling,
  warning,
} from "./doctor-context.ts";

/** Cloudflare's default for `max_retries` of a consumer. */
const platformRetries = 3;
/** Default for `maxAttempts` of a job. */
const usualAttempts = 3;

/** Durable Object class of `espalier/cloudflare` that stores jobs. */
const objectClass = "QueueDurableObject";
/** Compatibility date from which a Durable Object can let its Worker run jobs. */
const alarmDate = "2025-11-17";

/** Checks the producer, the consumer and the dead-letter queue of the application's jobs, or their Durable Object. */
export function checkQueue(patient: DoctorContext): readonly Finding[] {
  const { config, inspection } = patient;
  const object = config.objects.find(({ name }) => name === inspection.queue);
  if (object !== undefined) return [checkObject(patient, object.className)];
  const producer = config.producers.find(({ binding }) => binding === inspection.queue);
  if (producer === undefined) return checkWithoutProducer(patient);
  const consumer = config.consumers.find(({ queue }) => queue === producer.queue);
  if (consumer === undefined) return [checkWithoutConsumer(patient, producer.queue)];
  const findings: Finding[] = [good(`Queue ${producer.queue} has a producer and a consumer`)];
  if (inspection.jobs.length === 0) {
    findings.push(
      warning(
        `The queue "${producer.queue}" has a consumer, but no job has a handler. ` +
          "Register one with app.getQueue().process(name, handler), or remove the consumer.",
      ),
    );
  }
  return [...findings, ...checkConsumer(patient, consumer)];
}

function checkObject({ config, inspection }: DoctorContext, className: string): Finding {
  const { queue: binding } = inspection;
  if (className !== objectClass) {
    return error(
      `The queue binding "${binding}" is a Durable Object of the class "${className}". Jobs need the class ` +
        `${objectClass} of espalier/cloudflare; or set new Application({ queue }) to another name.`,
    );
  }
  const date = config.compatibilityDate;
  if (typeof date === "string" && date < alarmDate) {
    return warning(
      `With the compatibility_date "${date}" the Durable Object "${binding}" cannot run jobs by its alarm: ` +
        "they wait for requests and cron triggers.",
      { compatibility_date: alarmDate },
    );
  }
  return good(`Jobs are stored in the Durable Object binding ${binding}, whose alarms run them`);
}

function checkWithoutProducer({ config, inspection }: DoctorContext): readonly Finding[] {
  const { queue: binding, jobs, hasOwnQueue } = inspection;
  const objects = config.objects.filter(({ className }) => className === objectClass);
  const names = [
    ...config.producers.map((producer) => producer.binding),
    ...objects.map(({ name }) => name),
  ];
  const hint = misspelling(binding, names);
  if (hint !== "") {
    return [
      error(`The application uses the queue binding "${binding}", which does not exist.${hint}`),
    ];
  }
  const findings: Finding[] = config.consumers.map(({ queue }) =>
    error(
      `This Worker consumes the queue "${queue}", but has no producer binding "${binding}" for it, so ` +
        "the application does not use it.",
      { queues: { producers: [{ binding, queue }] } },
    ),
  );
  if (jobs.length === 0 || hasOwnQueue || findings.length > 0) return findings;
  const { kv } = inspection;
  const hasKv = ["ESPALIER_KV", "KV", "CACHE", kv].some(
    (name) => name !== undefined && config.kv.includes(name),
  );
  if (!hasKv) {
    return [
      error(
        `Jobs (${jobs.join(", ")}) are stored in the memory of one isolate, and lost with it: neither the ` +
          `queue binding "${binding}" nor a KV binding exists.`,
        { queues: { producers: [{ binding, queue: "jobs" }], consumers: [consumerOf("jobs")] } },
      ),
    ];
  }
  if (config.crons.length > 0) return [good("Jobs are stored in KV, and cron triggers run them")];
  return [
    warning(
      "Jobs are stored in KV; without a cron trigger, retries and delayed jobs wait for the next request.",
      { triggers: { crons: ["* * * * *"] } },
    ),
  ];
}

function checkWithoutConsumer({ inspection }: DoctorContext, queue: string): Finding {
  const add = { queues: { consumers: [consumerOf(queue)] } };
  return inspection.jobs.length > 0
    ? error(`The queue "${queue}" has no consumer, so its jobs are not run.`, add)
    : warning(`The queue "${queue}" has no consumer here; another Worker may consume it.`, add);
}

function checkConsumer({ config }: DoctorContext, consumer: QueueConsumer): readonly Finding[] {
  const { queue, deadLetterQueue } = consumer;
  const findings: Finding[] = [];
  const retries = consumer.maxRetries ?? platformRetries;
  if (retries < usualAttempts - 1) {
    findings.push(
      warning(
        `max_retries of "${queue}" is ${retries}, so the platform drops a job before its ` +
          `${usualAttempts} attempts. Set at least maxAttempts − 1, preferably 10.`,
      ),
    );
  }
  if (deadLetterQueue === undefined) {
    const add = { queues: { consumers: [consumerOf(queue)] } };
    const message = `The consumer of "${queue}" has no dead_letter_queue, so failed jobs are lost.`;
    return [...findings, warning(message, add)];
  }
  if (!config.consumers.some((other) => other.queue === deadLetterQueue)) {
    findings.push(
      warning(
        `The dead-letter queue "${deadLetterQueue}" has no consumer, so queue.failed() does not list its ` +
          "jobs, and Cloudflare deletes them after some days.",
        { queues: { consumers: [{ queue: deadLetterQueue }] } },
      ),
    );
  }
  if (!/-(dlq|dead)$/.test(deadLetterQueue)) {
    findings.push(
      warning(
        `The dead-letter queue "${deadLetterQueue}" is not recognised as one, so its jobs would run again. ` +
          "End its name in -dlq or -dead, or set the option deadLetterQueue of CloudflareQueuesAdapter.",
      ),
    );
  }
  return findings;
}

function consumerOf(queue: string): Readonly<Record<string, unknown>> {
  return { queue, max_retries: 10, dead_letter_queue: `${queue}-dlq` };
}
