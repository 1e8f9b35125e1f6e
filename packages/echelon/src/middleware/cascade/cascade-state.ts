import { guardedSchema } from '../../core/schema/guarded-schema.ts'
import { isRecord } from '../../core/value/json.ts'
import type { StateSpec } from '../../core/state/state.ts'
import type { AnswerStatus, Ruling } from '../../verify/gate.ts'
import { evidenceLine } from '../../verify/promotion-note.ts'
import { isCount } from '../reliability/bounded-table.ts'

/** Outcome of an answer. */
export interface CascadedAnswer {
  /** The model that gave it, as `provider/model`. */
  readonly model: string
  readonly status: AnswerStatus
  /** Probability, by the evidence, that it is right, 0 to 1; `null` if unchecked. */
  readonly confidence: number | null
  /** The reason in one clause, without values. */
  readonly evidence: string
  /** Number of smaller models that were asked before. */
  readonly promotions: number
}

/** Outcomes of the answers of a turn. */
export interface CascadeState {
  /** Answers by status. */
  readonly proved: number
  readonly supported: number
  readonly unsupported: number
  readonly unchecked: number
  /** Promotions to a bigger model. */
  readonly promotions: number
  /** The last answer; `null` before the first. */
  readonly last: CascadedAnswer | null
}

const INITIAL: CascadeState = {
  proved: 0,
  supported: 0,
  unsupported: 0,
  unchecked: 0,
  promotions: 0,
  last: null,
}

/** An answer with its ruling, as events and the state tell it. */
export const cascadedAnswer = (
  model: string,
  { status, confidence, evidence }: Omit<Ruling, 'decision'>,
  promotions: number,
): CascadedAnswer => ({ model, status, confidence, evidence: evidenceLine(evidence), promotions })

export const withAnswer = (state: CascadeState, last: CascadedAnswer): CascadeState => ({
  ...state,
  [last.status]: state[last.status] + 1,
  last,
})

const COUNT = { type: 'integer', minimum: 0 }
const STATUSES = ['proved', 'supported', 'unsupported', 'unchecked'] as const
const COUNTS = [...STATUSES, 'promotions'] as const

const isStatus = (value: unknown): value is AnswerStatus =>
  STATUSES.some((status) => status === value)

const isAnswer = (value: unknown): value is CascadedAnswer =>
  isRecord(value) &&
  typeof value['model'] === 'string' &&
  isStatus(value['status']) &&
  (value['confidence'] === null || typeof value['confidence'] === 'number') &&
  typeof value['evidence'] === 'string' &&
  isCount(value['promotions'])

export const CASCADE_STATE: StateSpec<CascadeState> = {
  scope: 'run',
  version: 1,
  initial: INITIAL,
  schema: guardedSchema<CascadeState>(
    {
      type: 'object',
      properties: {
        proved: COUNT,
        supported: COUNT,
        unsupported: COUNT,
        unchecked: COUNT,
        promotions: COUNT,
        last: {
          type: ['object', 'null'],
          properties: {
            model: { type: 'string' },
            status: { enum: [...STATUSES] },
            confidence: { type: ['number', 'null'] },
            evidence: { type: 'string' },
            promotions: COUNT,
          },
          required: ['model', 'status', 'confidence', 'evidence', 'promotions'],
        },
      },
      required: [...COUNTS, 'last'],
    },
    (value): value is CascadeState =>
      isRecord(value) &&
      COUNTS.every((name) => isCount(value[name])) &&
      (value['last'] === null || isAnswer(value['last'])),
  ),
}
