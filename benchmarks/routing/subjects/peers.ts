import { findMyWay, findMyWayCompiled } from "./find-my-way.ts";
import { honoDefault, honoRegExp, honoTrie } from "./hono.ts";
import { memoirist } from "./memoirist.ts";
import { pathToRegexp } from "./path-to-regexp.ts";
import { radix3 } from "./radix3.ts";
import { rou3, rou3Compiled } from "./rou3.ts";
import type { Subject } from "./subject.ts";
import { urlPattern } from "./url-pattern.ts";

/** Every router that ours is compared with. */
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

/** The router against which every ratio of a result is: that of `new Hono()`. */
export const baseline: string = honoDefault.name;
