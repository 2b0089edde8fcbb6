/** What the worker sends when it is loaded, and when it begins with a state: until then it cannot be slow. */
export const BEGUN = "begun";
