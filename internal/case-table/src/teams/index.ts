// Agents that call agents, and a chat of several requests, for adapters of frameworks.
export { describeTeams } from "./describe-teams.ts";
export { ARGUMENT, type Member, type NextMessage, type TeamsKit } from "./teams-kit.ts";
