export {
  deriveMessage,
  factsOf,
  summarize,
  withFacts,
  withFactsOf,
  writtenFacts,
} from "./derive-message.ts";
export { type MessageFacts, expectedFacts } from "./expected-facts.ts";
export { formatMore, parseMore } from "./more-errors.ts";
export { isValuePreview, readFacts, readHint } from "./read-words.ts";
export {
  CUTS,
  CUT_STEPS,
  type Levels,
  formatBullet,
  shortenBullets,
  toLevels,
} from "./shorter-bullets.ts";
export {
  COMPACT_BULLET,
  type MessageStyle,
  STANDARD_BULLET,
  parseCompactBullet,
  parseStandardBullet,
} from "./styles.ts";
export { writeBriefly, writeExpectation } from "./write-expectation.ts";
export { writeHint, writeReason, writeVariant } from "./write-hint.ts";
