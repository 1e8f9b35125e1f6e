/** The id of a new conversation. */
export const newSession = (): string => crypto.randomUUID().slice(0, 8)
