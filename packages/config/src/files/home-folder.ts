import { homedir } from "node:os";

/** The user's home directory, if there is one. */
export function homeFolder(): string | undefined {
  try {
    return homedir();
  } catch {
    // A user id without an entry in the system's list of users, as in some containers.
    return undefined;
  }
}
