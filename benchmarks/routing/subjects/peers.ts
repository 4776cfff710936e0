import { findMyWay, findMyWayCompiled } from "./find-my-way.ts";
import { honoDefault, honoRegExp, honoTrie } from "./hono.ts";
import { memoirist } from "./memoirist.ts";
import { pathToRegexp } from "./path-to-regexp.ts";
import { radix3 } from "./radix3.ts";
import { rou3, rou3Compiled } from "./rou3.ts";
import type { Subject } from "./subject.ts";
import { urlPattern } from "./url-pattern.ts";

/** All routers that Espalier's is compared with. */
export const peers: readonly Subject[] = [
  honoDefault,
  honoRegExp,
  honoTrie,
  memoirist,
  rou3,
  rou3Compiled,
  findMyWay,
  findMyWayCompiled,
  radix3,
  pathToRegexp,
  urlPattern,
];

/** Reference of all ratios: the router of `new Hono()`. */
export const baseline: string = honoDefault.name;
