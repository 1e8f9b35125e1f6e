import type { SupportSettings } from './support-settings.ts'
import type { ActiveIntent } from './support-state.ts'
import { fill } from '../wording/fill.ts'

/** Fills the intent's template with the result. */
export function templateAnswer({ registry }: SupportSettings, task: ActiveIntent): string {
  const data = task.done.at(-1)?.result.data ?? {}
  const intent = registry.find(task.intentId)
  if (intent === undefined) return ''
  const { post, postByStatus } = intent.wording
  const status = data['status']
  const own = typeof status === 'string' ? postByStatus[status] : undefined
  return fill(own ?? post, { ...task.params, ...data })
}
