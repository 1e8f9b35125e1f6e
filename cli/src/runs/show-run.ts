import {
  EchelonError,
  type Amounts,
  replayRun,
  Thread,
  type AnyDefinition,
  type Entry,
} from 'echelon/runtime'
import type { RunSummary, SessionStore, StoredEvent } from '@echelon/store'
import pc from 'picocolors'
import type { Redactor } from '../conversation/redactor.ts'
import { eventLine } from '../conversation/event-line.ts'
import { clean, cut } from '../terminal/clean.ts'
import { counted } from '../terminal/counted.ts'
import { dollars } from '../terminal/dollars.ts'
import {
  beginningOf,
  type Beginnings,
  inputOf,
  pictureOf,
  type PicturedStep,
} from '../replay/picture.ts'
import { describeStep } from '../replay/show-step.ts'
import { recreateAgent } from '../store/recreate-agent.ts'
import { readOrigin } from '../store/run-origin.ts'
import { PAINT } from './show-list.ts'
import { describeAsked } from './say-waiting.ts'
import { howToAnswer } from './how-to-answer.ts'
import { moment, standingOf } from './words.ts'
import type { Io } from '../io.ts'

const COLUMNS = 140

/** A stored run, step by step. */
export interface KeptRun {
  readonly run: RunSummary
  readonly entries: readonly Entry[]
  readonly steps: readonly PicturedStep[]
  readonly spent: Amounts
  /** Its definition; undefined if only another program has it. */
  readonly definition: AnyDefinition | undefined
}

export async function keptRun(
  io: Io,
  run: RunSummary,
  { entries, hideKeys }: { readonly entries: readonly Entry[]; readonly hideKeys: Redactor },
): Promise<KeptRun> {
  const definition = await definitionOf(io, run, entries)
  const began = definition === undefined ? new Map() : beginningsIn(run.id, definition, entries)
  const [picture] = pictureOf({ entries: new Map([[run.id, entries]]) }, began)
  const spent: Record<string, number> = {}
  for (const entry of entries) {
    if (entry.type === 'closed') Object.assign(spent, entry.spent)
    if (entry.type !== 'resumed') continue
    for (const [name, amount] of Object.entries(entry.charged)) {
      spent[name] = (spent[name] ?? 0) + amount
    }
  }
  // The entries stay as they are: the definition is replayed on them.
  return { run: hideKeys(run), entries, steps: hideKeys(picture?.steps ?? []), spent, definition }
}

/** The conversation as the turn knew it; undefined if it has changed since. */
export async function historyOf(
  { entries }: Pick<KeptRun, 'entries'>,
  sessions: SessionStore,
): Promise<Thread | undefined> {
  const started = entries.find((entry) => entry.type === 'started')
  const turnOf = started?.session ?? started?.forkedFrom?.session
  if (turnOf === undefined || turnOf.length === 0) return undefined
  const stored = await sessions.load(turnOf.id)
  const history = stored && Thread.of(stored.messages).upTo(turnOf.length)
  if (history?.length !== turnOf.length) return undefined
  return turnOf.digest === 0 || history.digest === turnOf.digest ? history : undefined
}

/** Only pure functions of it are called; no model is loaded. */
async function definitionOf(
  io: Io,
  { made }: RunSummary,
  entries: readonly Entry[],
): Promise<AnyDefinition | undefined> {
  const started = entries.find((entry) => entry.type === 'started')
  try {
    const own = readOrigin(made)
    if (started === undefined || own === undefined) return undefined
    const { definition } = await recreateAgent(io, own)
    return typeof definition === 'function' ? definition(started) : definition
  } catch (error) {
    if (error instanceof EchelonError) return undefined
    throw error
  }
}

/** Start of each step: the actor and its targets. */
function beginningsIn(
  run: string,
  definition: AnyDefinition,
  entries: readonly Entry[],
): Beginnings {
  const began = new Map<string, Beginnings extends ReadonlyMap<string, infer One> ? One : never>()
  const started = entries.find((entry) => entry.type === 'started')
  try {
    for (const { asked, seq } of replayRun(definition, entries)) {
      if (asked.type === 'finish') continue
      const targets =
        asked.type === 'call-tools'
          ? asked.calls.map(({ tool }) => tool)
          : asked.type === 'generate'
            ? [started?.models[asked.role] ?? asked.role]
            : []
      began.set(beginningOf(run, { path: '', seq }), {
        type: 'step-start',
        path: '',
        seq,
        effect: asked.type,
        actor: 'actor' in asked ? asked.actor : '',
        targets,
      })
    }
  } catch (error) {
    // Changed code may decide differently; the journal is shown anyway.
    if (!(error instanceof EchelonError)) throw error
  }
  return began
}

/** Formats a run: its status, steps, open requests and costs. */
export function describeRun(
  io: Pick<Io, 'stdout'>,
  { run, steps, spent, entries }: KeptRun,
): string {
  const columns = (io.stdout.columns ?? COLUMNS) - 1
  const { kind, text } = standingOf(run)
  const models = entries.find((entry) => entry.type === 'started')?.models ?? {}
  const asked = [...new Set(Object.values(models))].map(clean).join(', ')
  const names = asked === '' ? [] : [asked]
  const origin = run.forkedFrom === null ? [] : [`a fork of ${clean(run.forkedFrom.slice(0, 8))}`]
  return [
    `${pc.bold(clean(run.id))} · ${clean(run.agent)} · ${PAINT[kind](text)}`,
    pc.dim(cut([`started ${moment(run.beganAt)}`, ...names, ...origin].join(' · '), columns)),
    cut(clean(inputOf(run.input)), columns),
    '',
    ...steps.map((step) => describeStep(step, columns)),
    ...(steps.length === 0 ? [pc.dim('no step is complete yet')] : []),
    '',
    ...run.requests.map(({ about }) => pc.yellow(`? ${describeAsked(about, run)}`)),
    ...howToAnswer(run).map((command) => pc.dim(`  ${command}`)),
    ...(run.requests.length === 0 ? [] : ['']),
    pc.dim(describeSpent(spent, deniedIn(steps))),
  ].join('\n')
}

/** Counts calls that were denied, which take nothing from the budget. */
const deniedIn = (steps: readonly PicturedStep[]): number =>
  steps
    .flatMap(({ seen }) => (seen.type === 'tools-called' ? seen.outcomes : []))
    .filter(({ type }) => type === 'denied').length

function describeSpent(spent: Amounts, denied: number): string {
  const calls = Object.entries(spent)
    .filter(([name]) => name.startsWith('calls.'))
    .reduce((sum, [, count]) => sum + count, 0)
  const { money, tools = 0, tokens = 0 } = spent
  const parts = [
    ...countedIfAny(calls, 'model call'),
    ...countedIfAny(tools, 'tool call'),
    ...(denied === 0 ? [] : [`${denied} denied`]),
    ...countedIfAny(tokens, 'token'),
    ...(money === undefined ? [] : [dollars(money)]),
  ]
  return parts.length === 0 ? 'nothing spent yet' : `took ${parts.join(' · ')}`
}

const countedIfAny = (count: number, what: string): readonly string[] =>
  count === 0 ? [] : [counted(count, what)]

/** Formats the events of a run, one per line. */
export function describeEvents(io: Pick<Io, 'stdout'>, events: readonly StoredEvent[]): string {
  if (events.length === 0) return 'no events of this run are stored'
  const columns = (io.stdout.columns ?? COLUMNS) - 1
  // A damaged event has no time.
  const first = events.find(({ at }) => at > 0)
  return events
    .map(({ n, at, event }) => {
      const seconds = at > 0 ? ((at - (first?.at ?? at)) / 1000).toFixed(2) : '?'
      const what = eventLine(event)?.text.trim() ?? ''
      return cut(
        `${String(n).padStart(4)}  ${seconds.padStart(8)} s  ${event.type.padEnd(14)}  ${what}`,
        columns,
      ).trimEnd()
    })
    .join('\n')
}

/** The run for `--json`. */
export const runAsJson = ({ run, steps, spent }: KeptRun): object => ({ ...run, steps, spent })
