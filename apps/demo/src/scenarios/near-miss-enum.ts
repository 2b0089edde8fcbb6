import { callAt, type Scenario } from "../scenario.ts";

/** Values that are almost, or not at all, in the list of allowed ones. */
export const nearMissEnum: Scenario = {
  name: "near-miss-enum",
  title: "a fixed word that is almost right",
  story: "Models guess at fixed words: close enough for a person, not for a validator.",
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
    claim("the code says enum", errors[0]?.errorCode === "VAL-008", errors);
    claim(
      "the corrected call lists the largest file first",
      listing.indexOf("access.log") < listing.indexOf("app.log"),
      listing,
    );
  },
};
