import type { Member } from "./teams-kit.ts";

/** A message of a member's model: a call without its argument, a valid one, or words, which end its run. */
type Said = "wrong" | "right" | "words";

/** What a lead has its team do, and what each member's model reads. */
export interface TeamCase {
  readonly name: string;
  /** The messages of the lead: who is asked, all of a message at once. */
  readonly lead: readonly (readonly Member[])[];
  readonly said: Readonly<Record<Member, readonly Said[]>>;
  /** What each model reads of its calls, in order: the number of the attempt, or what was found. */
  readonly read: Readonly<Record<Member, readonly string[]>>;
}

/** Every row runs for one user and for two at once, with unique call ids and with ids that all agents share. */
export const TEAM_CASES: readonly TeamCase[] = [
  {
    name: "in turn, each counts its own attempts",
    lead: [["ann"], ["ben"]],
    said: { ann: ["wrong", "wrong", "right", "words"], ben: ["wrong", "right", "words"] },
    read: { ann: ["1/3", "2/3", "found"], ben: ["1/3", "found"] },
  },
  {
    name: "at once, each counts its own attempts",
    lead: [["ann", "ben"]],
    said: { ann: ["wrong", "wrong", "right", "words"], ben: ["wrong", "right", "words"] },
    read: { ann: ["1/3", "2/3", "found"], ben: ["1/3", "found"] },
  },
  {
    name: "an agent that is asked again begins anew",
    lead: [["ann"], ["ben"], ["ann"]],
    said: { ann: ["wrong", "wrong", "words", "wrong", "right", "words"], ben: ["wrong", "words"] },
    read: { ann: ["1/3", "2/3", "1/3", "found"], ben: ["1/3"] },
  },
  {
    name: "valid calls of all run",
    lead: [["ann", "ben"], ["ben"]],
    said: { ann: ["right", "words"], ben: ["right", "words", "right", "words"] },
    read: { ann: ["found"], ben: ["found", "found"] },
  },
];
