import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { Io } from '../io.ts'

/** The user's own folder, which no project can bring along. */
export function ownFolder(io: Pick<Io, 'env'>): string {
  const configured = io.env['XDG_CONFIG_HOME'] ?? ''
  return join(isAbsolute(configured) ? configured : join(homedir(), '.config'), 'echelon')
}
