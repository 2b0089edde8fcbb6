/** The longest time that a timer can wait, in milliseconds; a longer one fires at once. */
export const LONGEST_TIMER_MS: number = 2 ** 31 - 1;
