import { describe, expect, test } from "vitest";
import { TEAM_CASES, type TeamCase } from "./team-case.ts";
import { ARGUMENT, type Member, type NextMessage, type TeamsKit } from "./teams-kit.ts";

const MOST_CALLS = 20;
const GAVE_UP =
  /Tool 'ask_ann' failed: its agent gave up\.\n\nIts tool 'search': validation failed after 3 attempts\./;
const MEMBERS = ["ann", "ben"] as const;

/** Registers the table of teams, and a chat of four requests, for one host. */
export function describeTeams<Contract>(name: string, kit: TeamsKit<Contract>): void {
  describe(`${name} with agents that call agents`, () => {
    for (const ids of ["unique", "equal"] as const) {
      for (const users of [["u1"], ["u1", "u2"]]) {
        test.each(TEAM_CASES)(`$name [${ids} call ids, ${users.length} at once]`, async (one) => {
          const { read, runs } = await runTeam(one, ids, users, kit);
          expect(read).toEqual(users.map(() => one.read));
          expect(runs).toEqual(
            Object.fromEntries(MEMBERS.map((who) => [who, found(one, who) * users.length])),
          );
        });
      }
    }
  });

  test(`${name}: an agent that gives up is a failure of the tool that asked it`, async () => {
    const contract = kit.createContract({
      maxAttempts: 3,
      scope: "run",
      logger: () => undefined,
    });
    const answers: string[] = [];
    const lead = asker([["ann"]], "call");
    const said = Array.from({ length: MOST_CALLS }, () => "wrong" as const);
    await kit
      .createTeam(contract, () => "found")
      .run({
        lead(read) {
          answers.push(...read);
          return lead(read);
        },
        ann: speaker("ann", said, "call", []),
        ben: speaker("ben", [], "call", []),
      });
    expect(answers).toEqual([expect.stringMatching(GAVE_UP)]);
    expect(answers[0]).not.toContain("intervene");
  });

  describe(`${name} in a chat of four requests`, () => {
    test.each([
      { scope: "run", read: ["1/5", "1/5", "1/5", "1/5"] },
      { scope: "thread", read: ["1/5", "2/5", "3/5", "4/5"] },
    ] as const)("counts attempts in scope $scope", async ({ scope, read }) => {
      const contract = kit.createContract({ maxAttempts: 5, scope, logger: () => undefined });
      const chat = kit.createChat(contract, () => "found");
      const seen: string[] = [];
      for (const request of read.keys()) {
        await chat.send(speaker("ann", ["wrong", "words"], `r${request}`, seen));
      }
      expect(seen).toEqual(read);
    });
  });
}

function found({ said }: TeamCase, who: Member): number {
  return said[who].filter((one) => one === "right").length;
}

async function runTeam<Contract>(
  { lead, said }: TeamCase,
  ids: "unique" | "equal",
  users: readonly string[],
  { createContract, createTeam }: TeamsKit<Contract>,
) {
  const runs = { ann: 0, ben: 0 };
  const contract = createContract({ maxAttempts: 3, scope: "run", logger: () => undefined });
  const team = createTeam(contract, (who) => {
    runs[who] += 1;
    return "found";
  });
  const read = await Promise.all(
    users.map(async (user) => {
      const seen: Record<Member, string[]> = { ann: [], ben: [] };
      const idsOf = (who: string): string => (ids === "unique" ? `${user}_${who}` : "call");
      await team.run({
        lead: asker(lead, idsOf("lead")),
        ann: speaker("ann", said.ann, idsOf("ann"), seen.ann),
        ben: speaker("ben", said.ben, idsOf("ben"), seen.ben),
      });
      return seen;
    }),
  );
  return { read, runs };
}

/** A lead that asks these members, message by message. */
function asker(messages: readonly (readonly Member[])[], id: string): NextMessage {
  let at = 0;
  return () => {
    at += 1;
    const asked = messages[at - 1] ?? [];
    return asked.map((who, index) => ({
      id: `${id}_${at}_${index}`,
      name: `ask_${who}`,
      arguments: "{}",
    }));
  };
}

/** A member that makes these calls, and notes what it reads of them. */
function speaker(
  who: Member,
  said: TeamCase["said"][Member],
  id: string,
  seen: string[],
): NextMessage {
  let at = 0;
  return (read) => {
    const before = said[at - 1];
    if (before === "wrong" || before === "right") seen.push(...read.map(shortened));
    at += 1;
    const now = said[at - 1];
    if (now !== "wrong" && now !== "right") return [];
    const args = now === "right" ? { [ARGUMENT[who]]: "x" } : {};
    return [{ id: `${id}_${at}`, name: "search", arguments: JSON.stringify(args) }];
  };
}

/** The number of the attempt that an answer counts; any other answer as it is. */
function shortened(answer: string): string {
  return /\(attempt (\d+\/\d+)\)/.exec(answer)?.[1] ?? answer;
}
