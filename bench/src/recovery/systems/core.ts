import { type ContractOptions, createContract, type MessageStyle } from "@toolcontract/core";
import { offerThrough } from "@toolcontract/frameworks";
import { zodOfTool } from "../../zod-of-tool.ts";
import { readContract } from "../reading/readers.ts";
import { MESSAGES, type SchemaKind, type System } from "./system.ts";

/** The contract without a framework. */
export function coreContract(
  schema: SchemaKind,
  style: MessageStyle,
  options: ContractOptions = MESSAGES,
): System {
  return {
    name: `Toolcontract ${style}, core`,
    schema,
    packages: ["@toolcontract/core"],
    read: readContract,
    readsText: true,
    offer: (corpusTool) =>
      offerThrough((run) => {
        const { name } = corpusTool;
        const validator = schema === "zod" ? zodOfTool(corpusTool) : undefined;
        const tool = validator === undefined ? corpusTool : { name, validator };
        const contract = createContract({ format: { style }, ...options });
        let conversations = 0;
        return async (text) => {
          conversations += 1;
          const call = { id: "call_1", name, arguments: text };
          const admission = await contract.admit(call, {
            tool,
            conversationId: String(conversations),
          });
          if (admission.status !== "admitted") return admission.result.content;
          admission.run(run);
          return undefined;
        };
      }),
  };
}
