import type { SupportSettings } from './support-settings.ts'
import type { SupportState } from './support-state.ts'
import type { ToolResult } from '../primitives/tool-executor.ts'

/** The intent that hands over to a person, if there is one. */
export const HAND_OVER = 'hand_over'

export const canHandOver = ({ registry }: SupportSettings, { eligible }: SupportState): boolean =>
  registry.find(HAND_OVER) !== undefined && eligible.includes(HAND_OVER)

export const ticketOf = (result: ToolResult | null): string | null => {
  const ticket = result?.data?.['ticket']
  return typeof ticket === 'string' ? ticket : null
}
