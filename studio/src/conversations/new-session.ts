import { newId } from '../api/new-id.ts'

/** The id of a new conversation. */
export const newSession = (): string => newId().slice(0, 8)
