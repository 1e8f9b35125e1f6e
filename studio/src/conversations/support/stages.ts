import type { JsonObject, RunEventView } from 'echelon/client'
import { isObject, numberOf, objectOf, textOf } from '../../run/story/fields.ts'

/** A stage of a turn of the support agent, in words. */
export interface Stage {
  readonly key: string
  readonly title: string
  readonly told: string
  readonly isBad: boolean
}

/** The stages that the agent noted, in their order. */
export function stagesIn(events: readonly RunEventView[]): readonly Stage[] {
  return events.flatMap(({ id, event }): readonly Stage[] => {
    if (event.type !== 'note') return []
    const { stage, data } = event.note
    const words = WORDS[stage]
    if (words === undefined) return []
    const payload = objectOf(data, 'payload')
    const [title, told] = words(payload)
    return [
      { key: id, title, told, isBad: data['level'] === 'warning' || data['level'] === 'error' },
    ]
  })
}

const WORDS: Readonly<Record<string, (told: JsonObject) => readonly [string, string]>> = {
  received: (told) => [
    'Received',
    [textOf(told, 'customer_id') && `from ${textOf(told, 'customer_id')}`, textOf(told, 'channel')]
      .filter((part) => part !== undefined)
      .join(', by '),
  ],
  history_loaded: (told) => [
    'Read the conversation',
    textOf(told, 'error') ?? `version ${numberOf(told, 'count') ?? 0} of it`,
  ],
  intents_eligible: (told) => [
    'Looked up what it can do',
    wordsOf(textsIn(told['intents'])) || 'nothing for this message',
  ],
  intent_classified: (told) => [
    'Understood',
    [
      textOf(told, 'intent_id')?.replaceAll('_', ' '),
      `${Math.round((numberOf(told, 'confidence') ?? 0) * 100)}% sure`,
      textOf(told, 'reasoning'),
    ]
      .filter((part) => part !== undefined)
      .join(' · '),
  ],
  plan_created: (told) => ['Planned', textOf(told, 'reasoning') ?? ''],
  plan_type: (told) => ['Chose the next step', NEXT[textOf(told, 'type') ?? ''] ?? 'an answer'],
  policy_check: (told) => [
    'Checked the rules',
    [
      verdictOf(told),
      ...textsIn(told['violations']),
      textsIn(told['rules']).length > 0 && `rule ${textsIn(told['rules']).join(', ')}`,
      textOf(told, 'approved_by') && `approved by ${textOf(told, 'approved_by')}`,
    ]
      .filter(Boolean)
      .join(' · '),
  ],
  tool_execute: (told) => [
    'Acted',
    `${textOf(told, 'tool_name') ?? 'a tool'} ${told['success'] === true ? 'done' : 'failed'} in ${numberOf(told, 'time_ms') ?? 0} ms`,
  ],
  response_generated: (told) => [
    'Answered',
    `${OUTCOMES[textOf(told, 'outcome') ?? ''] ?? 'An answer'}. ${textOf(told, 'worded_by') === 'model' ? 'A model wrote the words' : 'The words come from a template'}.`,
  ],
  memory_updated: (told) => [
    'Stored the conversation',
    textOf(told, 'error') ?? `as version ${numberOf(told, 'count') ?? 0}`,
  ],
}

/** The kind of the answer. */
const OUTCOMES: Readonly<Record<string, string>> = {
  answered: 'The request was answered or done',
  asked: 'A question to the customer',
  denied: 'A rule or a person forbids it',
  blocked: 'A person has to allow it first',
  dropped: 'The customer dropped it',
  handed_over: 'A person takes over',
  not_understood: 'The message was not understood',
  failed: 'Something went wrong',
}

const NEXT: Readonly<Record<string, string>> = {
  ask_user: 'ask the customer',
  tool_call: 'call a tool',
  respond: 'answer',
}

const wordsOf = (names: readonly string[]): string =>
  names.map((name) => name.replaceAll('_', ' ')).join(', ')

function verdictOf(told: JsonObject): string {
  if (told['allowed'] === true) return 'allowed'
  return told['requires_escalation'] === true ? 'a person has to allow it' : 'not allowed'
}

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []

/** A step of the agent's plan, in words. */
export interface PlanStepShown {
  readonly title: string
  readonly status: string
}

/** The steps of a plan, as the agent keeps it; `undefined` without one. */
export function planIn(execution: unknown): readonly PlanStepShown[] | undefined {
  if (!isObjectLike(execution)) return undefined
  const { steps } = execution
  if (!Array.isArray(steps)) return undefined
  return steps.filter(isObjectLike).map((one) => ({
    title: titleOf(isObjectLike(one['step']) ? one['step'] : {}),
    status: textOf(one, 'status') ?? 'pending',
  }))
}

const isObjectLike = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function titleOf(step: JsonObject): string {
  const tool = textOf(step, 'toolName')
  if (tool !== undefined) return `Call ${tool}${inputOf(step['params'])}`
  if (textOf(step, 'param') !== undefined) return `Ask for ${textOf(step, 'param')}`
  const when = textOf(step, 'when')
  if (when === 'error') return `Say what went wrong`
  return when === 'pre' ? 'Announce the action' : 'Report the result'
}

function inputOf(params: unknown): string {
  if (!isObjectLike(params) || !isObject(params)) return ''
  const fields = Object.entries(params).map(([name, value]) => `${name} ${JSON.stringify(value)}`)
  return fields.length === 0 ? '' : ` with ${fields.join(', ')}`
}
