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

/** Checks the producer, the consumer and the dead-letter queue of the application's jobs. */
export function checkQueue(patient: DoctorContext): readonly Finding[] {
  const { config, inspection } = patient;
  const producer = config.producers.find(({ binding }) => binding === inspection.queue);
  if (producer === undefined) return checkWithoutProducer(patient);
  const consumer = config.consumers.find(({ queue }) => queue === producer.queue);
  if (consumer === undefined) return [checkWithoutConsumer(patient, producer.queue)];
  const findings: Finding[] = [good(`Queue ${producer.queue} has a producer and a consumer`)];
  if (inspection.jobs.length === 0) {
    findings.push(
      warning(
        `The queue "${producer.queue}" has a consumer, and no job has a handler. ` +
          "Register one with app.getQueue().process(name, handler), or remove the consumer.",
      ),
    );
  }
  return [...findings, ...checkConsumer(patient, consumer)];
}

function checkWithoutProducer({ config, inspection }: DoctorContext): readonly Finding[] {
  const { queue: binding, jobs, hasOwnQueue } = inspection;
  const names = config.producers.map((producer) => producer.binding);
  const hint = misspelling(binding, names);
  if (hint !== "") {
    return [error(`The application looks for the queue binding "${binding}".${hint}`)];
  }
  const findings: Finding[] = config.consumers.map(({ queue }) =>
    error(
      `"${queue}" is delivered to this Worker, which has no producer binding "${binding}" and so ` +
        "does not take it for its queue.",
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
        `Jobs (${jobs.join(", ")}) are in the memory of one instance, and lost with it: there is ` +
          `neither the queue binding "${binding}" nor a KV binding.`,
        { queues: { producers: [{ binding, queue: "jobs" }], consumers: [consumerOf("jobs")] } },
      ),
    ];
  }
  if (config.crons.length > 0) return [good("Jobs are in KV, and cron triggers run them")];
  return [
    warning(
      "Jobs are in KV, and without a cron trigger retries and delayed jobs wait for the next request.",
      { triggers: { crons: ["* * * * *"] } },
    ),
  ];
}

function checkWithoutConsumer({ inspection }: DoctorContext, queue: string): Finding {
  const add = { queues: { consumers: [consumerOf(queue)] } };
  return inspection.jobs.length > 0
    ? error(`Nothing takes jobs out of the queue "${queue}": it has no consumer here.`, add)
    : warning(`The queue "${queue}" has no consumer here. Another Worker may have it.`, add);
}

function checkConsumer({ config }: DoctorContext, consumer: QueueConsumer): readonly Finding[] {
  const { queue, deadLetterQueue } = consumer;
  const findings: Finding[] = [];
  const retries = consumer.maxRetries ?? platformRetries;
  if (retries < usualAttempts - 1) {
    findings.push(
      warning(
        `max_retries of "${queue}" is ${retries}, so the platform gives a job up before its ` +
          `${usualAttempts} attempts are used. Give at least maxAttempts − 1, at best 10.`,
      ),
    );
  }
  if (deadLetterQueue === undefined) {
    const add = { queues: { consumers: [consumerOf(queue)] } };
    const message = `The consumer of "${queue}" has no dead_letter_queue, so what is given up is lost.`;
    return [...findings, warning(message, add)];
  }
  if (!config.consumers.some((other) => other.queue === deadLetterQueue)) {
    findings.push(
      warning(
        `The dead-letter queue "${deadLetterQueue}" has no consumer, so its jobs are not listed by ` +
          "queue.failed(), and Cloudflare deletes them after some days.",
        { queues: { consumers: [{ queue: deadLetterQueue }] } },
      ),
    );
  }
  if (!/-(dlq|dead)$/.test(deadLetterQueue)) {
    findings.push(
      warning(
        `The dead-letter queue is called "${deadLetterQueue}". Only a name that ends in -dlq or -dead, or ` +
          "the option deadLetterQueue of CloudflareQueuesAdapter, tells that its jobs are not to be run again.",
      ),
    );
  }
  return findings;
}

function consumerOf(queue: string): Readonly<Record<string, unknown>> {
  return { queue, max_retries: 10, dead_letter_queue: `${queue}-dlq` };
}
