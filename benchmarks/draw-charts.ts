// Draws all charts of `docs/charts` from the committed results in `results`.
import "./routing/chart.ts";
import "./application/chart.ts";
import "./scale/chart.ts";
