/** A tool call as LangChain hands it around; `toolcontract` is there on one whose text could not be read. */
export interface NativeCall {
  readonly id?: string | undefined;
  readonly name: string;
  readonly args: unknown;
  readonly toolcontract?: { readonly rawText: string };
}
