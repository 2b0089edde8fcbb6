import { describeReplays, type ReplayKit } from "@toolcontract/case-table/replays";
import {
  type AskRequest,
  type Contract,
  createContract,
  createMemoryStore,
} from "@toolcontract/core";
import { createGuardrails, currentAttempt, memoryLedger } from "./index.ts";

const tool = { name: "pay", inputSchema: { type: "object" } } as const;

const kit: ReplayKit<Contract, AskRequest> = {
  createContract,
  createGuardrails: createGuardrails as never,
  createLedger: memoryLedger,
  createRecords: createMemoryStore,
  asks: "guardrail",
  createHost: (pay) => ({
    async send({ name, conversation, user, payments }, { contract, answer }) {
      const calls = payments.map((payment, index) => ({
        id: `call_${index}`,
        name: tool.name,
        arguments: { ...payment },
      }));
      let mayGoOn = false;
      const pause = (): void => {
        if (!mayGoOn) throw Object.assign(new Error("sure?"), { name: "GraphInterrupt" });
      };
      const place = {
        tools: [tool],
        turnId: name,
        ...(conversation === undefined
          ? { conversationId: "shared", knowsConversation: false, runId: name }
          : { conversationId: conversation, runId: "run" }),
      };
      const turn = async (grants: readonly string[] = []) =>
        contract.handleTurn(calls, {
          ...place,
          context: { ...(user !== undefined && { user }), grants },
          execute: async (args) =>
            pay(args as never, { key: currentAttempt().idempotencyKey, pause }),
        });
      const first = await turn().catch(async () => {
        mayGoOn = true;
        return turn();
      });
      const requests = first.flatMap((one) => (one.status === "ask" ? [one.request] : []));
      const answers = await Promise.all(requests.map(answer));
      const grants = answers.filter((grant) => grant !== undefined);
      const handled = grants.length > 0 ? await turn(grants) : first;
      return handled.map(({ result }) => result.content);
    },
  }),
};

describeReplays("an own loop", kit);
