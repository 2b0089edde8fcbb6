import { type FunctionalComponent } from "vue";

/** What is in the place of the playground while it is loaded. */
export const Loading: FunctionalComponent = () => <p>The playground is loading…</p>;

/** What is there if it could not be loaded. */
export const NotLoaded: FunctionalComponent = () => (
  <p>The playground could not be loaded. Check the connection, and reload this page.</p>
);
