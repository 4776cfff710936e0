import { Configuration } from "../../config/configuration.ts";
import type { Capability } from "../capability.ts";
import type { ApplicationRuntime } from "../runtime.ts";

/** Typed configuration sections, validated together at boot. */
export class ConfigCapability implements Capability {
  readonly configuration: Configuration;

  constructor(runtime: ApplicationRuntime) {
    this.configuration = new Configuration(() => runtime.environment());
  }

  onBoot(problems: Error[]): void {
    for (const { section, field, message } of this.configuration.validateAll()) {
      problems.push(new Error(`Configuration ${section}.${field}: ${message}`));
    }
  }
}
