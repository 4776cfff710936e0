import type { Env } from "espalier";
import { seed } from "../seed.ts";
import type { Calendar } from "../services/calendar.ts";
import type { Storage } from "./storage.ts";

/** What a request and a job have in common: the platform's bindings, and services. */
export interface Invocation {
  readonly env: Env;
  resolve(name: "storage"): Storage;
  resolve(name: "calendar"): Calendar;
}

/** Connects the storage to the platform's KV where there is one, and fills it when it is new. */
export async function openStorage(invocation: Invocation): Promise<void> {
  const storage = invocation.resolve("storage");
  storage.connect(invocation.env.KV);
  if (storage.isSeeded) return;
  await seed(storage, invocation.resolve("calendar"));
  storage.isSeeded = true;
}
