// LangChain 1.5 on the last LangGraph that keeps the pieces of a streamed message in its state.
import * as chatModels from "@langchain/core/language_models/chat_models";
import * as messages from "@langchain/core/messages";
import * as tools from "@langchain/core/tools";
import * as jsonSchema from "@langchain/core/utils/json_schema";
import * as types from "@langchain/core/utils/types";
import * as langgraph from "@langchain/langgraph";
import * as prebuilt from "@langchain/langgraph/prebuilt";
import * as langchain from "langchain";

export { chatModels, jsonSchema, langchain, langgraph, messages, prebuilt, tools, types };
