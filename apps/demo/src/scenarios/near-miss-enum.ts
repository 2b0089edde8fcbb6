import { callAt, type Scenario } from "../scenario.ts";

/** A value that is almost one of the allowed values. */
export const nearMissEnum: Scenario = {
  name: "near-miss-enum",
  title: "an enum value that is almost right",
  story: "Models guess at enum values: close enough for a person, not for a validator.",
  script: [
    { calls: [{ tool: "list_directory_with_sizes", args: { path: "logs", sortBy: "Size" } }] },
    {
      learned: ['one of "name", "size"', 'use "size"'],
      calls: [{ tool: "list_directory_with_sizes", args: { path: "logs", sortBy: "size" } }],
    },
  ],
  verify(scene, claim) {
    const { errors = [] } = callAt(scene, 1).handled.result;
    const listing = callAt(scene, 2).handled.result.content;
    claim("the code is that of an enum", errors[0]?.errorCode === "VAL-008", errors);
    claim(
      "the corrected call lists the largest file first",
      listing.indexOf("access.log") < listing.indexOf("app.log"),
      listing,
    );
  },
};
