/** A project that has the packages in its `node_modules`. */
export interface Installed {
  readonly folder: string;
}

/** An installed project, and the Node to run it with. */
export interface Place extends Installed {
  readonly node: string;
}
