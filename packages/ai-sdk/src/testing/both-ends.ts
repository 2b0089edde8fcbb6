import { isWhole } from "@toolcontract/case-table/whole";
import { type Describe, describeOn } from "./describe-on.ts";
import { loadSdk, type Sdk } from "./sdk.ts";

/** For what differs between versions: the newest and the oldest; all, if everything is run. */
export const SDKS: readonly Sdk[] = isWhole
  ? [await loadSdk(7), await loadSdk(6), await loadSdk(5)]
  : [await loadSdk(7), await loadSdk(5)];

const on: Describe = describeOn(SDKS);
export const describeVersions: Describe["describeVersions"] = on.describeVersions;
export const describeModes: Describe["describeModes"] = on.describeModes;
