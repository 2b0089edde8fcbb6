import { describeStore } from "@toolcontract/conformance/node-test";
import { createVersionedStore } from "@toolcontract/stores";

describeStore<Map<string, string>>("a store on a map", {
  place: () => new Map(),
  open: (entries) =>
    createVersionedStore({
      read: (key) => ({ value: entries.get(key) }),
      swap(key, expected, next) {
        if (entries.get(key) !== expected) return { value: entries.get(key) };
        if (next === undefined) entries.delete(key);
        else entries.set(key, next);
        return "done";
      },
    }),
});
