import { isOpenTelemetry, type OpenTelemetryApi } from "./open-telemetry.ts";

/**
 * Returns the API if it is installed, else undefined. Called on the first request; undefined too if it
 * was left out of the bundle, or if the platform cannot import modules at run time.
 */
export async function findOpenTelemetry(): Promise<OpenTelemetryApi | undefined> {
  // Hidden from bundlers, which would fail to build without the package.
  const name: string = "@opentelemetry/api";
  try {
    const api: unknown = await import(/* webpackIgnore: true */ /* @vite-ignore */ name);
    return isOpenTelemetry(api) ? api : undefined;
  } catch {
    return undefined;
  }
}
