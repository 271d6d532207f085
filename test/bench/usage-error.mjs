/** What is wrong with how the benchmark was called, for the person who called it. */
export class UsageError extends Error {}
