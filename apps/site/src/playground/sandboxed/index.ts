export { answerPort } from "./answer-port.ts";
export { evaluateCode } from "./evaluate-code.ts";
