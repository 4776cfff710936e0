import { Application, type ApplicationOptions, type OpenApiOptions } from "../../../src/index.ts";
import { createRecordingLogger, type RecordedLine } from "../../support/recording-logger.ts";

export interface Exposed {
  readonly app: Application;
  readonly lines: readonly RecordedLine[];
  document(): Promise<Described>;
}

/** The parts of a document used by tests. */
export interface Described {
  readonly paths: Record<string, Record<string, DescribedOperation>>;
  readonly components: Record<string, Record<string, Record<string, unknown>>>;
  readonly tags?: { readonly name: string }[];
  readonly [member: string]: unknown;
}

export interface DescribedOperation {
  readonly operationId: string;
  readonly parameters?: { name: string; in: string; required: boolean; schema: object }[];
  readonly requestBody?: { required: boolean; content: Record<string, { schema: object }> };
  readonly responses: Record<string, { description: string; content?: Record<string, unknown> }>;
  readonly [member: string]: unknown;
}

/** Creates an application that serves its document at `/openapi.json`. */
export function exposed(
  options: OpenApiOptions = {},
  appOptions: ApplicationOptions = {},
): Exposed {
  const logger = createRecordingLogger();
  const app = new Application({ logger, ...appOptions });
  app.exposeOpenApi("/openapi.json", options);
  return {
    app,
    lines: logger.lines,
    document: async () => (await app.request("/openapi.json")).json() as Promise<Described>,
  };
}
