import type { Application } from "espalier";

/** An application, and the processor time that its process has used. */
export interface CostTarget {
  /** Sends a body; returns the status of the response. */
  post(contentType: string, body: Uint8Array<ArrayBuffer>): Promise<number>;
  /** Returns the processor time of all threads of the process so far, in milliseconds. */
  processorMs(): number;
}

/** An application in this process. */
export function inProcess(app: Application): CostTarget {
  const { process } = globalThis;
  return {
    async post(contentType, body) {
      const headers = { "content-type": contentType };
      const request = new Request("http://localhost/", { method: "POST", headers, body });
      return (await app.fetch(request)).status;
    },
    processorMs() {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    },
  };
}
