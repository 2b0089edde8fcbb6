import { spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  createProtocolConnection,
  DidOpenTextDocumentNotification,
  ExitNotification,
  HoverRequest,
  InitializedNotification,
  InitializeRequest,
  MarkupContent,
  MarkupKind,
  type Position,
  ShutdownRequest,
} from "vscode-languageserver-protocol/node";
import { ROOT } from "./repository.ts";

/** The compiler of this repository, as editors use it. */
export interface Compiler {
  open(file: string, text: string): Promise<void>;
  /** The Markdown that an editor shows for a name; undefined for a keyword. */
  quickInfo(file: string, position: Position): Promise<string | undefined>;
  end(): Promise<void>;
}

/** Starts the language server that is part of the compiler. */
export async function startCompiler(): Promise<Compiler> {
  const child = spawn(join(ROOT, "node_modules/.bin/tsc"), ["--lsp", "--stdio"], {
    stdio: ["pipe", "pipe", "ignore"],
    // It lives for seconds: collecting garbage as often as usual would take a third of them.
    env: { ...process.env, GOGC: "200" },
  });
  const connection = createProtocolConnection(child.stdout, child.stdin);
  connection.listen();
  const rootUri = pathToFileURL(ROOT).href;
  const capabilities = { textDocument: { hover: { contentFormat: [MarkupKind.Markdown] } } };
  await connection.sendRequest(InitializeRequest.type, {
    processId: process.pid,
    rootUri,
    capabilities,
  });
  await connection.sendNotification(InitializedNotification.type, {});
  return {
    open: (file, text) =>
      connection.sendNotification(DidOpenTextDocumentNotification.type, {
        textDocument: { uri: pathToFileURL(file).href, languageId: "typescript", version: 1, text },
      }),
    quickInfo: async (file, position) => {
      const textDocument = { uri: pathToFileURL(file).href };
      const hover = await connection.sendRequest(HoverRequest.type, { textDocument, position });
      return MarkupContent.is(hover?.contents) ? hover.contents.value : undefined;
    },
    end: async () => {
      await connection.sendRequest(ShutdownRequest.type);
      await connection.sendNotification(ExitNotification.type);
      connection.dispose();
    },
  };
}
