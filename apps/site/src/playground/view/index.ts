export { Playground } from "./playground.tsx";
