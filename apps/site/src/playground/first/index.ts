export { data as FIRST } from "./first.data.ts";
export { FirstMessage } from "./first-message.tsx";
