import { isThenable } from "../../util/is-thenable.ts";
import { toMessageJson } from "./message-data.ts";

/**
 * Calls a handler, and passes what it returns to `send` as JSON text, unless that is undefined: at once, or later if it
 * is a promise. Never throws, and leaves no rejection unhandled: `report` receives the error.
 */
export function sendResult(
  handler: () => unknown,
  send: (text: string) => void,
  report: (error: unknown) => void,
): void {
  const sendValue = (value: unknown): void => {
    if (value !== undefined) send(toMessageJson(value));
  };
  try {
    const value = handler();
    if (isThenable(value)) Promise.resolve(value).then(sendValue).catch(report);
    else sendValue(value);
  } catch (error) {
    report(error);
  }
}
