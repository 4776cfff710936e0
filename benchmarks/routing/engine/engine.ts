import { empty } from "../subjects/empty.ts";
import type { FilledRouter, Subject } from "../subjects/subject.ts";
import type { RouteTable, TableRequest } from "../tables/route-table.ts";
import type { Command, Done, Loaded } from "./command.ts";
import { type LoadedTable, loadTable } from "./loaded-table.ts";

/** Executes commands beside the routers, in a Node process or in a Worker's isolate. */
export interface Engine {
  execute(command: Command): Loaded | Done;
}

/** Creates an engine for some routers; it keeps the last loaded table. */
export function createEngine(subjects: readonly Subject[]): Engine {
  let loaded: LoadedTable | undefined;
  let prepared: RouteTable | undefined;
  const kept: FilledRouter[] = [];

  const resolveSubject = (name: string): Subject => {
    const subject = subjects.find((candidate) => candidate.name === name);
    if (subject === undefined) throw new Error(`Unknown subject "${name}".`);
    return subject;
  };

  return {
    execute(command) {
      switch (command.kind) {
        case "load":
          loaded = loadTable(command.table, subjects);
          return loaded.report;
        case "batch": {
          if (loaded === undefined) throw new Error("No table is loaded.");
          const { router, requests, sum } = loaded.batch(command.subject, command.set);
          const found = runLoop(router, requests, command.passes);
          const right = Math.imul(sum, command.passes);
          if (command.subject !== empty.name && found !== right) {
            throw new Error(`${command.subject} gave ${found} while timed, ${right} is right.`);
          }
          return { operations: requests.length * command.passes };
        }
        case "prepare":
          prepared = command.table;
          return { operations: 0 };
        case "register":
        case "keep": {
          const subject = resolveSubject(command.subject);
          const [first] = prepared?.requests ?? [];
          if (prepared === undefined || first === undefined)
            throw new Error("No table is prepared.");
          for (let i = 0; i < command.times; i++) {
            const router = subject.fill(prepared.routes);
            if (router.answer(first) === 0) throw new Error(`${subject.name} lost ${first.url}.`);
            if (command.kind === "keep") kept.push(router);
          }
          return { operations: command.times };
        }
        case "nothing":
          return { operations: 0 };
      }
    },
  };
}

/** The timed loop. Shared by all routers, so that its cost, which is subtracted later, is the same. */
function runLoop(router: FilledRouter, requests: readonly TableRequest[], passes: number): number {
  let sum = 0;
  for (let pass = 0; pass < passes; pass++) {
    for (let i = 0; i < requests.length; i++) {
      sum = (sum + router.answer(requests[i] as TableRequest)) | 0;
    }
  }
  return sum;
}
