/** Runs a step of an exchange; what it throws or rejects with ends that exchange and no other. */
export type Contain = (step: () => unknown) => void;
