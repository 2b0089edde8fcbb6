/** There is a file where one was to be written. */
export class FileExistsError extends Error {
  override readonly name: string = "FileExistsError";
}
