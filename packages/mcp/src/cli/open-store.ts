import type { AttemptStore } from "@toolcontract/core";

/** A store that processes share, and its connection. */
export interface OpenStore {
  readonly store: AttemptStore;
  readonly close: () => void;
}
