import { type PartKind, sourcePath } from "./part.ts";

/** Template of a job: its payload, handler and registration. */
export const job: PartKind = {
  suffix: "Job",
  description: "Creates a queue job.",
  create(name, project) {
    const text = `import type { Application, Job, JobContext } from "espalier";

/** Payload of \`enqueue("${name.kebab}", payload)\`; must be JSON. */
export interface ${name.pascal}Payload {
  readonly id: string;
}

/** Runs at least once per job: must be idempotent. */
async function ${name.camel}Job(job: Job<${name.pascal}Payload>, { app }: JobContext): Promise<void> {
  app.logger.info({ message: "${name.kebab} runs", id: job.payload.id, attempt: job.attempt });
}

export function register${name.pascal}Job(app: Application): void {
  app.getQueue().process("${name.kebab}", ${name.camel}Job, { timeoutMs: 30_000 });
}
`;
    return {
      files: [{ path: sourcePath(project, "jobs", name), text }],
      next:
        `register${name.pascal}Job(app);\n` +
        `await app.getQueue().enqueue("${name.kebab}", { id: "7" });\n\n` +
        "// and, in the application's type declarations:\n" +
        `declare module "espalier" {\n` +
        "  interface Register { jobs: AppJobs }\n" +
        `  interface AppJobs { "${name.kebab}": ${name.pascal}Payload }\n}`,
    };
  },
};
