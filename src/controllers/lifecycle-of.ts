import type { ControllerLifecycle } from "./lifecycle.ts";

/** Returns what runs a controller; undefined if its class does not extend `Controller`. */
export function lifecycleOf(controller: object): ControllerLifecycle | undefined {
  return (controller as { readonly controllerLifecycle?: ControllerLifecycle }).controllerLifecycle;
}
