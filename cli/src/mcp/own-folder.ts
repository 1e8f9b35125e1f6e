import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** The user's own folder, which no project can bring along. */
export function ownFolder(): string {
  const configured = process.env['XDG_CONFIG_HOME'] ?? ''
  return join(isAbsolute(configured) ? configured : join(homedir(), '.config'), 'echelon')
}
