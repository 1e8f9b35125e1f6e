import { createHash } from 'node:crypto'

/**
 * The id of a tool call for clients: no two runs share one, whatever ids their models choose, so that a
 * conversation of several runs has each id once.
 */
export const callIdOf = (run: string, call: string): string =>
  `call_${createHash('sha256').update(`${run}\n${call}`).digest('base64url').slice(0, 24)}`
