// LangChain 1.2 with the matching versions of its core and of LangGraph.
import * as chatModels from "@langchain/core/language_models/chat_models";
import * as messages from "@langchain/core/messages";
import * as tools from "@langchain/core/tools";
import * as jsonSchema from "@langchain/core/utils/json_schema";
import * as types from "@langchain/core/utils/types";
import * as langgraph from "@langchain/langgraph";
import * as prebuilt from "@langchain/langgraph/prebuilt";
import * as langchain from "langchain";

export { chatModels, jsonSchema, langchain, langgraph, messages, prebuilt, tools, types };
