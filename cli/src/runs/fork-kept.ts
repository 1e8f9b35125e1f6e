import { randomUUID } from 'node:crypto'
import { EchelonError, type Entry, forkedEntries } from 'echelon/runtime'
import { clean } from '../terminal/clean.ts'
import type { ExitStatus } from '../exit-status.ts'
import { asJson } from '../record/about.ts'
import type { OpenedStore } from '../store/keep-store.ts'
import type { RunOrigin } from '../store/run-origin.ts'
import { goOn, type GoOnOptions, type OwnRun } from './go-on.ts'
import type { Io } from '../io.ts'
import { counted } from '../terminal/counted.ts'

export interface KeptForkOptions extends GoOnOptions {
  /** First step to run again; numbers start at 1. */
  readonly at: number
  readonly act?: readonly string[]
  readonly small?: string
  readonly big?: string
  readonly model?: string
}

/**
 * Stores a fork of a run and resumes it in this process.
 * @throws EchelonError INVALID_INPUT for a step that was not reached, or a model without a role
 */
export async function forkKept(
  io: Io,
  { run, made }: OwnRun,
  store: OpenedStore,
  options: KeptForkOptions,
): Promise<ExitStatus> {
  checkModels(made, options)
  // The models are part of the origin of the fork, so they are not passed again.
  const { at: step, act = [], small: _small, big: _big, ...rest } = options
  const { runs } = store
  const entries = await runs.read(run.id)
  const reached = stepsIn(entries)
  if (step > reached + 1) {
    throw usage(
      `the run has ${counted(reached, 'step')}; fork it at a step from 1 to ${reached + 1}`,
    )
  }
  const [at, id] = [step - 1, randomUUID()]
  const from = { run: run.id, at, forkedAt: Date.now(), act }
  const models = modelsOf(entries, options)
  const forked = forkedEntries(entries, { run: run.id, at, as: id, models, from })
  const now = forkOrigin(made, options)
  const begin = async (tools: readonly string[]): Promise<void> => {
    checkAct(act, tools)
    await runs.append(
      id,
      forked.map((entry) =>
        entry.type === 'started' && entry.path === '' ? { ...entry, made: asJson(now) } : entry,
      ),
    )
    runs.leave?.(id, { type: 'over' })
    io.stderr.write(`the fork is the run ${clean(id.slice(0, 8))}\n`)
  }
  // A fork is not a turn of the conversation.
  const fork = { ...run, id, session: null, forkedFrom: run.id }
  return goOn(io, { run: fork, made: now, begin }, store, rest)
}

/** @throws EchelonError INVALID_INPUT for a tool that the agent does not have */
function checkAct(act: readonly string[], tools: readonly string[]): void {
  const unknown = act.find((name) => !tools.includes(name))
  if (unknown === undefined) return
  throw usage(
    `--act names ${clean(unknown)}, which is not a tool of this agent; ${tools.length === 0 ? 'it has none' : `its tools are ${tools.map(clean).join(', ')}`}`,
  )
}

/** Number of steps, including dropped ones. */
const stepsIn = (entries: readonly Entry[]): number =>
  entries.reduce((steps, entry) => {
    if (entry.type === 'dropped') return entry.snapshot.seq
    return entry.type === 'closed' && entry.path === '' ? steps + 1 : steps
  }, 0)

function checkModels(made: RunOrigin, { small, big, model }: KeptForkOptions): void {
  if (made.command === 'decide' && model !== undefined) {
    throw usage('--model is for a chat; use --small and --big for a case')
  }
  if (made.command === 'decide' && big !== undefined && made.models.length === 1) {
    throw usage('the case has only one model; name it with --small')
  }
  if (made.command === 'chat' && (small ?? big) !== undefined) {
    throw usage('--small and --big are for a case; use --model for a chat')
  }
}

/** Models by role; the roles are those the run was started with. */
function modelsOf(
  entries: readonly Entry[],
  { small, big, model }: KeptForkOptions,
): Readonly<Record<string, string>> {
  const started = entries.find((entry) => entry.type === 'started')
  const roles = Object.keys(started?.models ?? {})
  const [first, last] = [roles[0], roles.at(-1)]
  return {
    ...(small !== undefined && first !== undefined && { [first]: small }),
    ...(big !== undefined && last !== undefined && { [last]: big }),
    ...(model !== undefined && first !== undefined && { [first]: model }),
  }
}

/** Origin of the fork, to recreate its agent. */
function forkOrigin(made: RunOrigin, { small, big, model }: KeptForkOptions): RunOrigin {
  if (made.command === 'chat') return { ...made, model: model ?? made.model }
  const last = made.models.length - 1
  const models = made.models.map((name, rung) =>
    rung === 0 ? (small ?? name) : rung === last ? (big ?? name) : name,
  )
  return { ...made, models }
}

const usage = (message: string): EchelonError => new EchelonError('INVALID_INPUT', message)
