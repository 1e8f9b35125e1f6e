import { ESCALATED, STANDINGS } from './standings.ts'
import { TEST_INTENTS, wordByWord, YES } from './kit.ts'
import type { Intent } from '../../packages/support/src/intent.ts'
import { IntentsRegistry } from '../../packages/support/src/intents-registry.ts'
import { NO_KNOWLEDGE } from '../../packages/support/src/knowledge/knowledge.ts'
import type { SupportInput } from '../../packages/support/src/turn/support-input.ts'
import type { SupportSettings } from '../../packages/support/src/turn/support-settings.ts'
import type { Generate } from '../../packages/echelon/src/core/agent/effect.ts'
import type { Json } from '../../packages/echelon/src/core/value/json.ts'
import type { ToolOutcome } from '../../packages/echelon/src/core/tool/tool-call.ts'
import type {
  PossibleAnswer,
  PossibleObservations,
} from '../../packages/echelon/src/testing/explore/possible.ts'

const [ORDER_STATUS, REFUND, HAND_OVER] = TEST_INTENTS

/** An intent that a model plans by itself, call after call. */
const openEnded = (intent: Intent): Intent => ({
  ...intent,
  id: 'look_into',
  description: 'looks into something',
  requiredParams: [],
  tool: 'look_up',
  tools: ['look_up', 'check_order_status'],
})

export const INTENTS: readonly Intent[] = [ORDER_STATUS, REFUND, HAND_OVER].flatMap((one) =>
  one === undefined ? [] : [one],
)

const OPEN_ENDED: readonly Intent[] = INTENTS.slice(0, 1).map(openEnded)

const registryOf = (intents: readonly Intent[]): IntentsRegistry =>
  new IntentsRegistry({ intents, tiers: [], redactedParams: [] })

const SETTINGS: SupportSettings = {
  registry: registryOf(INTENTS),
  reader: wordByWord,
  rungs: ['embedded'],
  accept: { embedded: 0.7, small: 0.6, big: 0.3 },
  words: null,
  maxAsks: 3,
  tools: ['check_order_status', 'issue_refund', 'hand_over', 'look_up'],
  acting: ['issue_refund', 'hand_over'],
  knowledge: NO_KNOWLEDGE,
}

/** Only templates and the embedded rung. */
export const OFFLINE: SupportSettings = SETTINGS

/** Models read, plan and word. */
export const BY_MODELS: SupportSettings = { ...SETTINGS, rungs: ['small', 'big'], words: 'small' }

/** All three rungs, one after the other. */
export const THREE_RUNGS: SupportSettings = {
  ...SETTINGS,
  rungs: ['embedded', 'small', 'big'],
  words: 'small',
}

/** A model plans by itself. */
export const BY_ITSELF: SupportSettings = {
  ...SETTINGS,
  registry: registryOf([...INTENTS.slice(2), ...OPEN_ENDED]),
  reader: (text, context) =>
    text === 'look'
      ? {
          commands: [{ type: 'start-task', intentId: 'look_into', params: {}, confidence: 1 }],
          confidence: 1,
          reasoning: 'in the test',
        }
      : wordByWord(text, context),
  words: 'small',
}

const interaction = (text: string): SupportInput['interaction'] => ({
  id: 'm',
  text,
  customerId: 'C-001',
  context: {},
})

export const saying = (text: string): SupportInput => ({
  sessionId: 's',
  interaction: interaction(text),
  review: null,
})

export const reviewing = (approved: boolean): SupportInput => ({
  sessionId: 's',
  interaction: interaction(''),
  review: { approved, by: 'ada', reason: 'not this time', planId: null },
})

/** One for each way in which a message is read. */
export const MESSAGES: readonly SupportInput[] = [
  'status',
  'status O-11111',
  'status O-11111; refund O-22222',
  'refund; status O-22222',
  'refund O-11111',
  'O-11111',
  'O-33333',
  'correct O-33333',
  'correct',
  'yes',
  'no',
  'drop',
  'back',
  'undo',
  'thanks',
  'person',
  'hm',
].map(saying)

export const REVIEWS: readonly SupportInput[] = [true, false].map(reviewing)

const DECISIONS: readonly Json[] = [
  YES,
  ESCALATED,
  { allowed: false, violations: ['it is too late'], requiresEscalation: false },
  { allowed: false, violations: [], requiresEscalation: false, asNotFound: true },
  { allowed: true, violations: [], requiresEscalation: true },
  null,
]

const result = (over: Json): ToolOutcome => ({ type: 'ok', value: over })

const OUTCOMES: readonly ToolOutcome[] = [
  result({
    success: true,
    data: { status: 'shipped', ticket: 'H-1' },
    error: null,
    executionTimeMs: 1,
  }),
  result({ success: true, data: null, error: null, executionTimeMs: 1 }),
  result({
    success: false,
    data: null,
    error: 'Order O-11111 not found',
    executionTimeMs: 1,
    code: 'not_found',
  }),
  result({ success: false, data: null, error: 'It is broken', executionTimeMs: 1 }),
  result(null),
  { type: 'error', code: 'TOOL_ERROR', message: 'it failed' },
  { type: 'denied', reason: 'another rule' },
  { type: 'unknown', message: 'nobody knows' },
]

const reading = (
  act: string,
  intent: string,
  params: Readonly<Record<string, string>> = {},
  confidence = 0.9,
): string =>
  JSON.stringify({
    intent_id: intent,
    extracted_params: params,
    missing_params: [],
    confidence,
    act,
    further_intents: [],
  })

const READINGS: readonly PossibleAnswer[] = [
  reading('wish', 'order_status', { order_id: 'O-11111' }),
  reading('wish', 'order_status', { order_id: 'O-99999' }),
  reading('wish', 'refund', { order_id: 'O-11111' }),
  reading('wish', 'refund'),
  reading('wish', 'order_status', { order_id: 'O-11111' }, 0.4),
  reading('answer', 'order_status', { order_id: 'O-11111' }),
  reading('correct', 'refund', { order_id: 'O-22222' }),
  reading('yes', 'none'),
  reading('no', 'none'),
  reading('drop', 'none'),
  reading('unclear', 'none'),
  'no JSON',
]

const call = (tool: string, input: Json): PossibleAnswer => ({
  text: 'because',
  calls: [{ id: 'c', tool, input }],
})

const PLANS: readonly PossibleAnswer[] = [
  call('check_order_status', { order_id: 'O-11111' }),
  call('issue_refund', { order_id: 'O-99999' }),
  call('issue_refund', { order_id: 'O-22222' }),
  call('look_up', { what: 'it' }),
  'It is shipped.',
  '',
]

const WORDS: readonly PossibleAnswer[] = ['It is shipped.', 'It costs 99.99 dollars.', '']

const answersOf = ({ actor }: Generate): readonly PossibleAnswer[] => {
  if (actor === 'classifier') return READINGS
  return actor === 'planner' ? PLANS : WORDS
}

/** All possible outcomes of the agent's effects, in conversations with these open states. */
export const observationsIn = (
  standings: Readonly<Record<string, Json>> = STANDINGS,
): PossibleObservations => ({
  models: answersOf,
  tools: () => OUTCOMES,
  memories({ memory }) {
    if (memory === 'conversation') return Object.values(standings)
    return [{ customer_id: 'C-001', tier: 'gold' }]
  },
  // The agent reads only the details.
  verdicts: () => DECISIONS.map((details) => ({ type: 'allow', details })),
})
