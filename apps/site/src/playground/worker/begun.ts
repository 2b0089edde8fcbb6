/** The worker sends it once it is loaded, and as it begins a replay: its time is limited from then on. */
export const BEGUN = "begun";
