/** Whole runs on record: replayed offline, stepped through, forked. */
export {}
