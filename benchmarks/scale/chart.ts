import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { drawBars } from "../support/draw-bars.ts";
import type { SimulationResult } from "./result.ts";

/** Draws `docs/charts/scale-producers.svg` from the committed result. */
const result = new URL("../results/scale-simulation.json", import.meta.url);
if (existsSync(result)) {
  // written by simulate.ts
  const { settings, kvCache, memoryCache } = JSON.parse(
    readFileSync(result, "utf8"),
  ) as SimulationResult;
  const bars = [
    ...kvCache.map(({ name, producerCallsPerSecond }) => ({
      label: `KV, kept for ${name}`,
      value: producerCallsPerSecond,
      own: true,
    })),
    {
      label: "memory, kept for 60 s",
      value: memoryCache?.producerCallsPerSecond ?? 0,
      own: false,
    },
  ];
  const note = `${settings.requestsPerSecond.toLocaleString("en")} requests per second, simulated`;
  writeFileSync(
    new URL("../../docs/charts/scale-producers.svg", import.meta.url),
    drawBars("Producer calls", note, [{ title: "Calls per second", bars }], {
      unit: "/s",
      cutAt: Infinity,
    }),
  );
}
