import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { Io } from '../io.ts'

/** Configuration folder of the user, outside any project. */
export function ownFolder(io: Pick<Io, 'env'>): string {
  const configured = io.env['XDG_CONFIG_HOME'] ?? ''
  return join(isAbsolute(configured) ? configured : join(homedir(), '.config'), 'echelon')
}
