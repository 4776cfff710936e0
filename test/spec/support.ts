import { Application, type ApplicationOptions, type MiddlewareFunction } from "espalier";
import { createRecordingLogger, type RecordedLine } from "../support/recording-logger.ts";

/** An application that keeps quiet. */
export function createApp(options: ApplicationOptions = {}): Application {
  return new Application({ logger: createRecordingLogger(), ...options });
}

/** An application and what it logged. */
export function createLoggedApp(options: ApplicationOptions = {}): {
  readonly app: Application;
  readonly lines: readonly RecordedLine[];
} {
  const logger = createRecordingLogger();
  return { app: new Application({ ...options, logger }), lines: logger.lines };
}

/** A request with a JSON body. */
export function withJson(body: unknown, method = "POST"): RequestInit {
  return {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}

/** A request with an urlencoded body. */
export function withForm(body: string, method = "POST"): RequestInit {
  return { method, headers: { "content-type": "application/x-www-form-urlencoded" }, body };
}

/**
 * A request with a multipart body of one file, as bytes: Node leaves a rejection unhandled when the body
 * of a FormData is cancelled, as one over the limit is.
 */
export function withFile(name: string, bytes: number): RequestInit {
  const head = `--x\r\ncontent-disposition: form-data; name="${name}"; filename="file"\r\n\r\n`;
  return {
    method: "POST",
    headers: { "content-type": "multipart/form-data; boundary=x" },
    body: `${head}${"0".repeat(bytes)}\r\n--x--\r\n`,
  };
}

/** A response's JSON object. */
export async function jsonOf(response: Response): Promise<Record<string, unknown>> {
  return (await response.json()) as Record<string, unknown>;
}

/** Status and text of a response, for one comparison. */
export async function answerOf(response: Response): Promise<[number, string]> {
  return [response.status, await response.text()];
}

/** A middleware that writes its way in and out into `trace`. */
export function tracing(trace: string[], name: string): MiddlewareFunction {
  return async (_ctx, next) => {
    trace.push(name);
    const response = await next();
    trace.push(`/${name}`);
    return response;
  };
}
