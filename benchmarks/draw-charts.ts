// Draws every chart of `docs/charts` from the results that are committed in `results`.
import "./routing/chart.ts";
import "./application/chart.ts";
import "./scale/chart.ts";
