import { Application, type ApplicationOptions } from "../../../src/index.ts";
import { OpenApiEndpoint, type OpenApiOptions } from "../../../src/openapi/openapi-endpoint.ts";
import { MiddlewareRegistry } from "../../../src/pipeline/registry.ts";
import { createRecordingLogger, type RecordedLine } from "../../support/recording-logger.ts";

export interface Exposed {
  readonly app: Application;
  readonly lines: readonly RecordedLine[];
  document(): Promise<Described>;
}

/** A document as tests look into it. */
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

/** An application that serves its description at `/openapi.json`. */
export function exposed(
  options: OpenApiOptions = {},
  appOptions: ApplicationOptions = {},
): Exposed {
  const logger = createRecordingLogger();
  const app = new Application({ logger, ...appOptions });
  describeAt(app, "/openapi.json", options);
  return {
    app,
    lines: logger.lines,
    document: async () => (await app.request("/openapi.json")).json() as Promise<Described>,
  };
}

/** Lets an application serve its description, also that of middleware registered from now on. */
export function describeAt(app: Application, path: string, options: OpenApiOptions): void {
  const middleware = new MiddlewareRegistry();
  const router = app.getRouter();
  const register = app.middleware.bind(app);
  app.middleware = (name, given) => {
    middleware.register(name, given);
    return register(name, given);
  };
  const use = app.use.bind(app);
  app.use = (given) => {
    middleware.use(given);
    return use(given);
  };
  const subject = { records: () => router.records, middleware };
  for (const route of new OpenApiEndpoint(path, options, subject).routes()) {
    router.get(route.path, route.handler, route.options);
  }
}
