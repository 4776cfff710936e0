import { Application, type ApplicationOptions, type Router } from "espalier";

const silent = (): void => {};

/** An application that writes no log, with the routes that a test gives it. */
export function createApp(
  define: (router: Router, app: Application) => void,
  options: ApplicationOptions = {},
): Application {
  const logger = { debug: silent, info: silent, warn: silent, error: silent };
  const app = new Application({ logger, ...options });
  define(app.getRouter(), app);
  return app;
}

/** Sends a body with its content type. */
export function send(type: string, body: BodyInit, method = "POST"): RequestInit {
  return { method, headers: { "content-type": type }, body };
}

/** Sends a value as JSON. */
export function sendJson(value: unknown, method = "POST"): RequestInit {
  return send("application/json", JSON.stringify(value), method);
}

/** Sends a text as an urlencoded form. */
export function sendForm(text: string, method = "POST"): RequestInit {
  return send("application/x-www-form-urlencoded", text, method);
}

/** The names and values of the cookies that a response sets, as a browser would send them back. */
export function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}
