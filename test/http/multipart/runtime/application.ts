import { Application, json } from "espalier";
import { multipartCases, readInPieces, readWhole } from "../../../support/multipart-cases.ts";
import { outcomesOfMutations } from "../../../support/multipart-mutations.ts";
import { describeRoundTrip } from "./round-trip.ts";

/** Runs the parser, bundled from the sources, inside a runtime. */
export function createMultipartApplication(): Application {
  const app = new Application({ host: "127.0.0.1" });
  const router = app.getRouter();
  router.get("/cases/:pieceBytes(\\d+)", async (ctx) => {
    const pieceBytes = Number(ctx.params.pieceBytes);
    const outcomes = [];
    for (const { bytes, contentType } of multipartCases) {
      const outcome =
        pieceBytes === 0
          ? await readWhole(bytes, contentType)
          : await readInPieces(bytes, contentType, pieceBytes);
      outcomes.push(outcome);
    }
    return json(outcomes);
  });
  router.get("/mutations/:seed(\\d+)/:count(\\d+)", async (ctx) =>
    json(await outcomesOfMutations(Number(ctx.params.seed), Number(ctx.params.count))),
  );
  router.get("/round-trip", async () => json(await describeRoundTrip()));
  return app;
}
