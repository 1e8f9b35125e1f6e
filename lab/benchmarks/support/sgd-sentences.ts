import { nextAction } from '../../../packages/support/src/dialogue/next-action.ts'
import type { Intent } from '../../../packages/support/src/intent.ts'
import {
  CONFIRMATION,
  NO_DIALOGUE,
  type Dialogue,
  type OpenIntent,
} from '../../../packages/support/src/turn/dialogue.ts'
import type { Command } from '../../../packages/support/src/understand/command.ts'
import { trainReader } from '../../../packages/support/src/understand/embedded-reader.ts'
import { readDataFile } from '../tools/data-file.ts'
import { absent, type Row } from '../tools/row.ts'
import { agrees, follow, recordedDecision, SET, type Decision, type Track } from './ask-or-call.ts'
import { type Frame, type State, type Turn, turnsOf } from './sgd-dialogue.ts'
import { sgdIntents } from './sgd-intents.ts'
import { findSchema, inferSchema, intentKey } from './sgd-schema.ts'

/** The reading of a user's sentence, compared with its labels. */
export interface ReadTurn {
  readonly text: string
  /** The slots that the sentence gives, by the gold acts. */
  readonly said: ReadonlyMap<string, readonly string[]>
  readonly read: ReadonlyMap<string, string>
  readonly recorded: Decision
  readonly planned: Decision
  readonly isIntentRight: boolean
}

/**
 * Reads the users' sentences of real dialogues offline, with the state before each as it was, and decides what
 * follows: the embedded reader learns from every second dialogue, and the others are read.
 */
export async function sgdSentenceFigures(folder: string): Promise<readonly Row[]> {
  const data = await readDataFile(folder, SET)
  if (data === undefined) return [absent('sgd sentences')]
  const start = performance.now()
  const turns = await readTurns(folder, data.rows)
  const seconds = (performance.now() - start) / 1000
  const row = (set: string, of: readonly ReadTurn[], right: number, note = ''): Row => ({
    set: `sgd sentences: ${set}`,
    rows: data.rows.length,
    counted: of.length,
    right,
    seconds,
    note,
  })
  const giving = turns.filter(({ said }) => said.size > 0)
  const acting = turns.filter(({ recorded }) => recorded.type !== 'other')
  return [
    row('intent right', turns, turns.filter(({ isIntentRight }) => isIntentRight).length),
    row(
      'slots right',
      giving,
      giving.filter(areSlotsRight).length,
      'all that a sentence gives, and no others',
    ),
    row(
      'ask, confirm or call right',
      acting,
      acting.filter(({ planned, recorded }) => agrees(planned, recorded)).length,
    ),
  ]
}

async function readTurns(
  folder: string,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<readonly ReadTurn[]> {
  const dialogues = rows.map(turnsOf)
  const schema = (await findSchema(folder, rows)) ?? inferSchema(dialogues)
  const learned = dialogues.filter((_, at) => at % 2 === 0)
  const intents = sgdIntents(schema, learned)
  const reader = trainReader(intents)
  return dialogues
    .filter((_, at) => at % 2 === 1)
    .flatMap((turns) => {
      const services = new Set(turns.flatMap(({ frames }) => frames.map(({ service }) => service)))
      const offered = intents.filter(({ id }) => services.has(id.split(' ')[0] ?? ''))
      return readDialogue(
        turns,
        offered,
        (text, dialogue) => reader(text, { intents: offered, dialogue, history: [] }).commands,
      )
    })
}

type Read = (text: string, dialogue: Dialogue) => readonly Command[]

function readDialogue(
  turns: readonly Turn[],
  intents: readonly Intent[],
  read: Read,
): readonly ReadTurn[] {
  const tracks = new Map<string, Track>()
  const before = new Map<string, State>()
  const found: ReadTurn[] = []
  for (const [at, user] of turns.entries()) {
    const system = turns[at + 1]
    if (!user.byUser || system === undefined || system.byUser) continue
    const last = turns[at - 1]
    const dialogue = dialogueOf(last, before)
    found.push(
      judged(user, system, {
        dialogue,
        commands: read(user.text, dialogue),
        intents,
        tracks,
        before,
      }),
    )
    for (const { service, state } of user.frames)
      if (state !== undefined) before.set(service, state)
    for (const frame of system.frames) follow({ frame, user, told: 'calls' }, tracks)
  }
  return found
}

interface Around {
  readonly dialogue: Dialogue
  readonly commands: readonly Command[]
  readonly intents: readonly Intent[]
  readonly tracks: ReadonlyMap<string, Track>
  readonly before: ReadonlyMap<string, State>
}

function judged(user: Turn, system: Turn, around: Around): ReadTurn {
  const { commands, dialogue, intents, tracks, before } = around
  const frame =
    user.frames.find(({ state }) => state !== undefined && state.intent !== 'NONE') ??
    user.frames[0]
  const [service, gold] = [frame?.service ?? '', frame?.state?.intent ?? 'NONE']
  const started = commands.find(({ type }) => type === 'start-task')
  const target =
    (started !== undefined && 'intentId' in started ? started.intentId : undefined) ??
    (dialogue.open ?? dialogue.last)?.intentId ??
    ''
  const params = Object.assign(
    {},
    ...commands.flatMap((one) => ('params' in one ? [one.params] : [])),
  )
  const read = new Map(
    Object.entries(params).flatMap(([slot, value]) =>
      typeof value === 'string' ? [[slot, value] as const] : [],
    ),
  )
  const intent = intents.find(({ id }) => id === target)
  const known = new Map([
    ...(before.get(service)?.slots ?? []),
    ...[...read].map(([slot, value]) => [slot, [value]] as const),
  ])
  const planned: Decision =
    intent === undefined
      ? { type: 'other' }
      : asDecision(
          nextAction(
            intent,
            {
              known,
              informed: new Set(read.keys()),
              affirms: commands.some(({ type }) => type === 'confirm'),
              requests: started !== undefined,
              wantsOthers: false,
            },
            tracks.get(target),
          ),
        )
  return {
    text: user.text,
    said: saidIn(user.frames),
    read,
    recorded: recordedDecision(system, 'calls'),
    planned,
    isIntentRight: gold === 'NONE' || target === intentKey(service, gold),
  }
}

const asDecision = (next: ReturnType<typeof nextAction>): Decision =>
  next.type === 'ask' ? { type: 'ask', slots: next.params } : next

/** The values that a sentence gives, by its acts, in the ways in which they may be written. */
const saidIn = (frames: readonly Frame[]): ReadonlyMap<string, readonly string[]> =>
  new Map(
    frames.flatMap(({ actions, state }) =>
      actions
        .filter(({ act, slot }) => act === 'INFORM' && slot !== '' && slot !== 'intent')
        .map(({ slot, values }) => [slot, [...values, ...(state?.slots.get(slot) ?? [])]] as const),
    ),
  )

/** The open question as the system's last turn leaves it. */
function dialogueOf(system: Turn | undefined, before: ReadonlyMap<string, State>): Dialogue {
  for (const { service, actions } of system?.frames ?? []) {
    const state = before.get(service)
    if (state === undefined || state.intent === 'NONE') continue
    const intentId = intentKey(service, state.intent)
    const params = Object.fromEntries([...state.slots].map(([slot, [value = '']]) => [slot, value]))
    const asked = actions.find(({ act }) => act === 'REQUEST')?.slot
    const isConfirming = actions.some(({ act }) => act === 'CONFIRM')
    const param = isConfirming ? CONFIRMATION : asked
    const last = { intentId, params }
    if (param === undefined) return { ...NO_DIALOGUE, last }
    const execution = { planId: 'p', intentId, steps: [], currentIndex: 0 }
    const open: OpenIntent = { ...last, param, failedAsks: 0, execution }
    return { ...NO_DIALOGUE, open, last }
  }
  return NO_DIALOGUE
}

/** Whether a sentence gave what was read of it, and nothing else. */
const areSlotsRight = ({ said, read }: ReadTurn): boolean =>
  said.size === read.size &&
  [...said].every(([slot, values]) => {
    const value = read.get(slot)
    return value !== undefined && values.some((one) => plain(one) === plain(value))
  })

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}:.]+/gu, ' ')
    .trim()
