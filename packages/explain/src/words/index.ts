export { mayNotBeKnown } from "./ask-user.ts";
export { type Bullet, countErrors, errorsWithin, toBullets } from "./bullets.ts";
export { deriveMessage, summarize, valueRank } from "./codes.ts";
export { formatMore, parseMore } from "./more-errors.ts";
export {
  type MessageFacts,
  isValuePreview,
  readFacts,
  readGot,
  readHint,
  readWanted,
} from "./read-words.ts";
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
export { firstSentence, isBareType, saysMore, writeNote } from "./write-note.ts";
export { writeHint, writeReason, writeVariant } from "./write-hint.ts";
export { factsOf, withFacts, withFactsOf, writtenFacts } from "./written-facts.ts";
