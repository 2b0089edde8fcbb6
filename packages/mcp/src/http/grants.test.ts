import type { GateOptions } from "../gate/index.ts";
import { describeGrants, type GrantsKit } from "@toolcontract/case-table/grants";
import { describeReplays } from "@toolcontract/case-table/replays";
import { type AskRequest, type Contract, createContract } from "@toolcontract/core";
import { createGuardrails, memoryLedger } from "@toolcontract/guardrails";
import { payingKit } from "../testing/paying.ts";
import { replayingKit } from "../testing/replaying.ts";
import { payInSession, payWithoutSession } from "../testing/paying-over-http.ts";

// Each call has a server, a proxy and a client of its own.
const EVERYDAY = 6;

describeGrants("the proxy, in a session", payingKit(payInSession), EVERYDAY);
describeReplays("the proxy, in a session,", replayingKit(payInSession));

const stateless: GrantsKit<Contract, AskRequest> = {
  createContract,
  createGuardrails,
  createStore: memoryLedger,
  createHost: (run) => ({
    async call({ name, arguments: args, user, conversationId }, open, answer) {
      const grant = answer as GateOptions["grant"] & object;
      const options = { contract: open(), context: { user }, grant };
      const client = await payWithoutSession(run, options, conversationId, () => ({
        action: "accept",
        content: { agree: true },
      }));
      const { content } = await client.callTool({ name, arguments: args });
      await client.close();
      return (content as readonly { readonly text: string }[])[0]?.text ?? "";
    },
  }),
};
describeGrants("the proxy, without sessions", stateless, EVERYDAY);
