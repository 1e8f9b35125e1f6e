/**
 * Time that a writer waits for another, in milliseconds. The longest write deletes a conversation:
 * about a second for 100 MB.
 */
export const BUSY_TIMEOUT_MS = 20_000

/** Marks a store's file as ours: `PRAGMA application_id`, "ECHL". */
export const APPLICATION_ID = 0x4543_484c
