import { DEFAULT_INTENT } from '../../../packages/assist/src/intent/intent.ts'
import { readDraft } from '../../../packages/assist/src/sense/read-draft.ts'
import { readUser } from '../../../packages/assist/src/sense/read-user.ts'
import type { LabeledTurn } from './labeled-turns.ts'

/** Minimum confidence of a finding that decides, as in a run. */
const COUNTS_FROM = 0.5

/** Accuracy of detecting one kind. */
export interface Figures {
  readonly kind: string
  readonly turns: number
  /** Precision. */
  readonly precision: number
  /** Recall. */
  readonly recall: number
}

/** A misclassified turn. */
export interface Miss {
  readonly turn: LabeledTurn
  readonly found: readonly string[]
}

const KINDS = {
  user: ['stop', 'frustration', 'achieved'],
  draft: ['tactical_drift', 'sycophancy', 'endless analysis', 'feature stacking'],
} as const

/** Findings of the detectors above the threshold, with the default intent. */
function foundIn(turn: LabeledTurn): readonly string[] {
  if (turn.from === 'user') {
    const findings = readUser(turn.text, DEFAULT_INTENT)
    return findings.filter(({ confidence }) => confidence >= COUNTS_FROM).map(({ kind }) => kind)
  }
  const plan = { approach: 'measured', altitude: turn.altitude ?? 'L3', constraints: [], focus: [] }
  const report = { user_input: '', draft: turn.text, earlier: [] }
  return readDraft(turn.text, { intent: DEFAULT_INTENT, plan, report })
    .filter(({ confidence }) => confidence >= COUNTS_FROM)
    .map(({ kind, what }) => (kind === 'non_goal' ? what : kind))
}

export function figuresOf(turns: readonly LabeledTurn[]): readonly Figures[] {
  const found = turns.map((turn) => ({ turn, kinds: foundIn(turn) }))
  return [...KINDS.user, ...KINDS.draft].map((kind) => {
    const are = found.filter(({ turn }) => turn.label === kind)
    const taken = found.filter(({ kinds }) => kinds.includes(kind))
    const right = taken.filter(({ turn }) => turn.label === kind).length
    return {
      kind,
      turns: are.length,
      precision: taken.length === 0 ? 1 : right / taken.length,
      recall: are.length === 0 ? 1 : right / are.length,
    }
  })
}

/** Missed turns and false positives. */
export const missesOf = (turns: readonly LabeledTurn[]): readonly Miss[] =>
  turns
    .map((turn) => ({ turn, found: foundIn(turn) }))
    .filter(({ turn: { label }, found }) =>
      label === 'none' ? found.length > 0 : found.length !== 1 || found[0] !== label,
    )
