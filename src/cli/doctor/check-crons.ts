import { type DoctorContext, error, type Finding, good, warning } from "./doctor-context.ts";

/** Compares the cron triggers with `app.schedule`: their expressions must match. */
export function checkCrons({ config, inspection }: DoctorContext): readonly Finding[] {
  const triggers = config.crons.map(normalise);
  const scheduled = inspection.crons.map(normalise);
  const missing = scheduled.filter((cron) => !triggers.includes(cron));
  const unused = triggers.filter((cron) => !scheduled.includes(cron));
  const findings: Finding[] = [];
  if (scheduled.length > missing.length) {
    const count = scheduled.length - missing.length;
    findings.push(good(`${count} of ${scheduled.length} schedules have a cron trigger`));
  }
  if (missing.length > 0) {
    findings.push(
      error(
        `No cron trigger matches ${missing.map((cron) => `app.schedule("${cron}", …)`).join(", ")}.`,
        {
          triggers: { crons: [...config.crons, ...missing] },
        },
      ),
    );
  }
  for (const cron of unused) {
    // A trigger without a schedule still runs the jobs that are due in KV.
    if (inspection.jobs.length > 0 && !drainsByPlatform({ config, inspection })) continue;
    findings.push(
      warning(
        `The cron trigger "${cron}" matches no schedule. Register app.schedule("${cron}", …) or remove it.`,
      ),
    );
  }
  return findings;
}

function drainsByPlatform({
  config,
  inspection,
}: Pick<DoctorContext, "config" | "inspection">): boolean {
  return config.producers.some(({ binding }) => binding === inspection.queue);
}

const normalise = (cron: string): string => cron.trim().split(/\s+/).join(" ");
