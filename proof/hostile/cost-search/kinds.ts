import { bodyKindsToSearch } from "./body-kinds.ts";
import { headerKinds } from "./header-kinds.ts";
import type { SearchKind } from "./kind.ts";
import { webSocketKind } from "./web-socket-kind.ts";

export const searchKinds: readonly SearchKind[] = [
  ...headerKinds,
  ...bodyKindsToSearch,
  webSocketKind,
];
