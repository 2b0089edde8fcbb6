// Pays as fast as it can for some time: `node paying-process.ts <folder> <users> <milliseconds> [<url>]`; prints how often it did.
import { guardedCall } from "./guarded-call.ts";
import { openShared } from "./shared-ledger.ts";

/** Calls under way at once in each process. */
const AT_ONCE = 8;

const [folder = "", users = "", milliseconds = "", url = ""] = process.argv.slice(2);
const { ledger } = await openShared({ folder, url: url === "" ? undefined : url });
const pay = guardedCall(ledger, Number(users));
await pay();
const until = performance.now() + Number(milliseconds);
let paid = 0;
async function work(): Promise<void> {
  while (performance.now() < until) {
    await pay();
    paid += 1;
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, work));
process.stdout.write(String(paid), () => process.exit(0));
