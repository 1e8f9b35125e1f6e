import type { Intent } from '../../../packages/support/src/intent.ts'
import {
  nextAction,
  NO_PROGRESS,
  type TaskProgress,
} from '../../../packages/support/src/dialogue/next-action.ts'
import { readDataFile } from '../tools/data-file.ts'
import { absent, leftOut, type Row } from '../tools/row.ts'
import { type Frame, type State, type Turn, turnsOf } from './sgd-dialogue.ts'
import { findSchema, inferSchema, intentKey, type SgdIntent, type SgdSchema } from './sgd-schema.ts'

/** Next action for an intent: a question, a confirmation, the call, or none of them. */
export type Decision =
  | { readonly type: 'ask'; readonly slots: readonly string[] }
  | { readonly type: 'confirm' | 'call' | 'other' }

/** A turn of a customer, with the next action of the recorded system and of our planner. */
export interface Judged {
  /** Number of the user's turn within its dialogue, from 0. */
  readonly turn: number
  readonly recorded: Decision
  readonly planned: Decision
  readonly isRight: boolean
}

export const SET = 'sgd_dialogues.jsonl'

/**
 * Measures on real dialogues whether the planner asks, confirms or calls where the recorded system did,
 * given the gold state of each turn.
 * @throws EchelonError INVALID_INPUT for a file without any dialogue
 */
export async function askOrCallFigures(folder: string): Promise<readonly Row[]> {
  const data = await readDataFile(folder, SET)
  if (data === undefined) return [absent(SET)]
  const dialogues = data.rows.map(turnsOf)
  if (dialogues.every((turns) => turns.length === 0)) throw data.unusable('turns')
  const start = performance.now()
  const found = await findSchema(folder, data.rows)
  const schema = found ?? inferSchema(dialogues)
  const frames = dialogues.flat().flatMap((turn) => turn.frames)
  const told = frames.some(({ call }) => call !== undefined) ? 'calls' : 'notices'
  const judged = dialogues.map((turns) => judge(turns, schema, told))
  const seconds = (performance.now() - start) / 1000
  const source =
    found === undefined ? 'required slots inferred from the calls' : 'required slots of its schema'
  const row = (set: string, type: Decision['type'] | undefined, note: string): Row => {
    const counted = judged
      .flat()
      .filter(({ recorded }) =>
        type === undefined ? recorded.type !== 'other' : recorded.type === type,
      )
    const right = counted.filter(({ isRight }) => isRight).length
    return { set, rows: dialogues.length, counted: counted.length, right, seconds, note }
  }
  return [
    row(
      'sgd: ask, confirm or call',
      undefined,
      [
        source,
        ...leftOut(dialogues.length, dialogues.filter(({ length }) => length > 0).length),
      ].join('; '),
    ),
    row('sgd: of these, ask', 'ask', ''),
    row('sgd: of these, confirm', 'confirm', ''),
    row('sgd: of these, call', 'call', wrongTurns(data.rows, judged)),
    row('sgd: none of the three', 'other', 'an offer, an answer, a farewell'),
  ]
}

/** Judges each turn of a customer that a turn of the system follows. */
export function judge(
  turns: readonly Turn[],
  schema: SgdSchema,
  told: ToldBy = 'calls',
): readonly Judged[] {
  const tracks = new Map<string, Track>()
  const judged: Judged[] = []
  for (const [index, user] of turns.entries()) {
    const system = turns[index + 1]
    if (!user.byUser || system === undefined || system.byUser) continue
    const planned = decided(user, schema, tracks)
    const recorded = recordedDecision(system, told)
    judged.push({ turn: judged.length, recorded, planned, isRight: agrees(planned, recorded) })
    for (const frame of system.frames) follow({ frame, user, told }, tracks)
  }
  return judged
}

/** Progress of one intent, as it is followed. */
export interface Track {
  settled: Map<string, readonly string[]> | undefined
  isConfirming: boolean
  offered: Map<string, readonly string[]>
  hasFailed: boolean
  left: number | null
}

/** The first of several concurrent intents that needs an action. */
function decided(user: Turn, schema: SgdSchema, tracks: ReadonlyMap<string, Track>): Decision {
  const decisions = user.frames.map((frame): Decision => {
    const { state, service } = frame
    const spec = state === undefined ? undefined : schema.get(intentKey(service, state.intent))
    if (state === undefined || spec === undefined) return { type: 'other' }
    return forIntent(frame, state, spec, tracks.get(intentKey(service, state.intent)))
  })
  return decisions.find(({ type }) => type !== 'other') ?? { type: 'other' }
}

function forIntent(
  { actions }: Frame,
  state: State,
  spec: SgdIntent,
  progress: TaskProgress = NO_PROGRESS,
): Decision {
  const isLabeled = actions.length > 0
  const informed = actions.filter(({ act }) => act === 'INFORM').map(({ slot }) => slot)
  const message = {
    known: state.slots,
    informed: isLabeled ? new Set(informed) : null,
    // Datasets without the customer's acts have only the state; no change is a yes.
    affirms: !isLabeled || actions.some(({ act }) => act === 'AFFIRM'),
    wantsOthers: actions.some(({ act }) => act === 'REQUEST_ALTS'),
    requests: actions.some(({ act }) => act === 'INFORM_INTENT' || act === 'AFFIRM_INTENT'),
  }
  const next = nextAction(intentOf(state.intent, spec), message, progress)
  if (next.type !== 'ask') return next
  return { type: 'ask', slots: next.params }
}

/** An intent with the requirements of the schema. */
export const intentOf = (
  id: string,
  { required, optional, isTransactional }: SgdIntent,
): Intent => ({
  id,
  description: '',
  requiredParams: required,
  optionalParams: optional,
  tool: id,
  tools: [],
  params: {},
  examples: [],
  confirm: isTransactional,
  constraints: { channels: [], rollout: 100, minTier: null },
  wording: { pre: '', post: '', postByStatus: {}, confirm: '' },
})

/** How a dataset records calls: directly, or only by what the customer is told. */
export type ToldBy = 'calls' | 'notices'

interface Followed {
  readonly frame: Frame
  readonly user: Turn
  readonly told: ToldBy
}

/** Records an action of the system and its values. */
export function follow({ frame, user, told }: Followed, tracks: Map<string, Track>): void {
  const state = user.frames.find(({ service }) => service === frame.service)?.state
  const intent = frame.call?.method ?? state?.intent
  if (state === undefined || intent === undefined) return
  const key = intentKey(frame.service, intent)
  const track = tracks.get(key) ?? {
    settled: undefined,
    isConfirming: false,
    offered: new Map(),
    hasFailed: false,
    left: null,
  }
  tracks.set(key, track)
  const { type } = recordedDecision({ byUser: false, frames: [frame], text: '' }, told)
  if (type === 'confirm' || type === 'call') {
    track.settled = new Map(state.slots)
    track.isConfirming = type === 'confirm'
    track.offered = new Map()
    track.hasFailed = frame.actions.some(({ act }) => act === 'NOTIFY_FAILURE')
  }
  if (frame.call !== undefined) track.left = frame.results ?? null
  const isOffer = frame.actions.some(({ act }) => act === 'OFFER')
  if (isOffer && track.left !== null) track.left = Math.max(0, track.left - 1)
  for (const { act, slot, values } of frame.actions) {
    const kept = act === 'CONFIRM' ? track.settled : track.offered
    kept?.set(slot, [...(kept.get(slot) ?? []), ...values])
  }
}

/** The next action of the recorded system. */
export function recordedDecision({ frames }: Turn, told: ToldBy): Decision {
  const acts = frames.flatMap(({ actions }) => actions)
  const isDone = acts.some(({ act }) => act === 'NOTIFY_SUCCESS' || act === 'NOTIFY_FAILURE')
  if ((isDone && told === 'notices') || frames.some(({ call }) => call !== undefined))
    return { type: 'call' }
  if (acts.some(({ act }) => act === 'CONFIRM')) return { type: 'confirm' }
  const slots = acts.filter(({ act }) => act === 'REQUEST').map(({ slot }) => slot)
  return slots.length > 0 ? { type: 'ask', slots } : { type: 'other' }
}

/** Same question: at least one requested slot is one that we miss. */
export const agrees = (planned: Decision, recorded: Decision): boolean =>
  planned.type === 'ask' && recorded.type === 'ask'
    ? recorded.slots.some((slot) => planned.slots.includes(slot))
    : planned.type === recorded.type

function wrongTurns(
  rows: readonly Readonly<Record<string, unknown>>[],
  judged: readonly (readonly Judged[])[],
): string {
  const wrong = judged.flatMap((turns, index) =>
    turns
      .filter(({ isRight, recorded }) => !isRight && recorded.type !== 'other')
      .map(({ turn, planned, recorded }) => {
        const id = rows[index]?.['dialogue_id']
        const name = typeof id === 'string' ? id : String(index)
        return `${name}.${turn}: ${planned.type} for ${recorded.type}`
      }),
  )
  return wrong.length === 0 ? '' : `wrong: ${wrong.slice(0, 5).join('; ')}`
}
