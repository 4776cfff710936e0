import type { ParityCase } from "../case.ts";
import { accessCases } from "./access.ts";
import { answerCases, errorCases } from "./answers.ts";
import { bodyCases } from "./bodies.ts";
import { cachingCases, corsCases } from "./caching.ts";
import { cookieCases } from "./cookies.ts";
import { flowCases } from "./flow.ts";
import { routingCases } from "./routing.ts";
import { validationCases } from "./validation.ts";

/** All cases by topic. */
export const casesByPart: Readonly<Record<string, readonly ParityCase[]>> = {
  "routing and methods": routingCases,
  "middleware and hooks": flowCases,
  bodies: bodyCases,
  validation: validationCases,
  answers: answerCases,
  errors: errorCases,
  "cookies and sessions": cookieCases,
  "ETags and compression": cachingCases,
  CORS: corsCases,
  "access, limits, documents": accessCases,
};

/** All cases; titles identify them in the records. */
export const allCases: readonly ParityCase[] = Object.values(casesByPart).flat();
