import { createDecider, EchelonError } from 'echelon'
import type { Decider } from 'echelon/decide'
import type { Registry } from 'echelon/providers'
import type { RunSummary } from '@echelon/store'
import { standardTools } from '@echelon/tools'
import { caseConfig } from '../run/case-config.ts'
import { caseTools } from '../run/case-tools.ts'
import { chatServers } from '../chat/chat-servers.ts'
import { makeAgent } from '../chat/make-agent.ts'
import { Talk } from '../chat/talk.ts'
import { statusOf } from '../conversation/converse.ts'
import type { Ended, TurnDisplay } from '../conversation/display.ts'
import { openDisplay } from '../conversation/open-display.ts'
import { clean } from '../terminal/clean.ts'
import type { GlobalOptions } from '../configuration.ts'
import { EXIT, type ExitStatus, statusOfCase } from '../exit-status.ts'
import { keepRecords } from '../records.ts'
import type { OpenedStore } from '../store/keep-store.ts'
import {
  enterOrigin,
  type RunOrigin,
  type CaseOrigin,
  type ChatOrigin,
  readOrigin,
} from '../store/run-origin.ts'
import { watchCase } from '../run/watch-case.ts'
import { waitingLines } from './say-waiting.ts'
import type { Io } from '../io.ts'

/** Options to repeat when a run is resumed, and how to show it. */
export interface GoOnOptions extends GlobalOptions {
  readonly baseUrl?: string
  readonly stockUrl?: string
  readonly json?: true
}

/** A run with the origin of its agent. */
export interface OwnRun {
  readonly run: RunSummary
  readonly made: RunOrigin
  /** Stores the run, if it is new, after all checks have passed. */
  readonly begin?: (tools: readonly string[]) => Promise<void>
}

/** @throws EchelonError INVALID_INPUT for a run that a program started: only it has the agent */
export function ownRun(run: RunSummary): OwnRun {
  const made = readOrigin(run.made)
  if (made !== undefined) return { run, made }
  if (run.agent === 'support') {
    throw usage(
      `the run is a turn of the support session ${clean(run.session ?? run.id)}, started by a program, and only that program has its tools; its router finishes the run before the next message of the session, or when the same message arrives again`,
    )
  }
  throw usage(
    `the run was started by a program, and only that program has the agent ${clean(run.agent)}; resume it there, with resume('${clean(run.id)}') or a host; from here you can answer it with --later`,
  )
}

/**
 * Resumes a run in this process, in the folder where it was started. Questions are asked on a
 * terminal; elsewhere they stay open.
 */
export async function goOn(
  io: Io,
  { run, made, begin }: OwnRun,
  store: OpenedStore,
  given: GoOnOptions,
): Promise<ExitStatus> {
  const options = enterOrigin(made, given)
  if (made.command === 'decide') return caseGoesOn(io, run, made, { store, options, begin })
  const { json } = options
  const terminal = openDisplay(io, { json })
  const display = terminal.isTerminal ? terminal : openDisplay(io, { json, approve: 'later' })
  const suspends = !display.isTerminal
  const ended = await turnGoesOn(io, run, made, { store, options, begin, display, suspends })
  if (ended !== 'waiting') return statusOf(ended)
  const waiting = (await store.runs.find(run.id)) ?? run
  for (const line of waitingLines(waiting)) io.stderr.write(`${line}\n`)
  return EXIT.waiting
}

/**
 * Ends an idle run: resumes it, so that it sees the cancel. No model is loaded, so that no key is
 * needed.
 */
export async function endHere(
  io: Io,
  { run, made }: OwnRun,
  store: OpenedStore,
  given: GoOnOptions,
): Promise<void> {
  const options = enterOrigin(made, given)
  const here = { store, options, registry: UNCALLED }
  if (made.command === 'chat') {
    await turnGoesOn(io, run, made, { ...here, display: SILENT, suspends: true })
    return
  }
  const { decider } = await deciderFor(io, made, here)
  await (
    await decider.resume(run.id)
  ).outcome
}

interface Here {
  readonly store: OpenedStore
  readonly options: GoOnOptions
  readonly begin?: OwnRun['begin']
  /** Registry of models; default: the configured one. */
  readonly registry?: Registry
}

async function caseGoesOn(
  io: Io,
  run: RunSummary,
  made: CaseOrigin,
  here: Here,
): Promise<ExitStatus> {
  const { decider, tools, remarks } = await deciderFor(io, made, here)
  await here.begin?.(tools)
  const view = { ...here.options, isAsked: true, events: here.store.events, remarks }
  const result = await watchCase(io, view, async (watching) => {
    const resumed = await decider.resume(run.id, watching)
    return resumed.outcome
  })
  return statusOfCase(result)
}

/** The decider as it was when the case started. */
async function deciderFor(
  io: Io,
  { models, settings, artifacts }: CaseOrigin,
  { store, options, registry }: Here,
): Promise<{
  readonly decider: Decider
  readonly tools: readonly string[]
  readonly remarks: () => readonly string[]
}> {
  const config = await caseConfig(io, { ...options, ladder: models })
  const records = keepRecords({}, config)
  const ladder = { small_model: models[0] ?? '', big_model: models.at(-1) ?? '', ladder: models }
  const tools = (await caseTools(options)).tools ?? (await standardTools())
  const decider = await createDecider({
    config,
    settings: { ...settings, models: ladder },
    artifacts,
    tools,
    ...(registry && { registry }),
    ...records.given,
    store,
  })
  return { decider, tools: tools.map(({ name }) => name), remarks: () => records.remarks }
}

interface TurnHere extends Here {
  readonly display: TurnDisplay
  /** Whether the turn is suspended as soon as it waits for a person. */
  readonly suspends: boolean
}

async function turnGoesOn(
  io: Io,
  run: RunSummary,
  { model, choice, canAsk }: ChatOrigin,
  { store, options, begin, registry, display, suspends }: TurnHere,
): Promise<Ended> {
  await using servers = await chatServers(io, { ...options, ...choice }, display)
  const given = { store, moreTools: servers.tools, canAsk, ...(registry && { registry }) }
  const speaker = await makeAgent(io, { ...choice, ...options, model }, given)
  await begin?.(speaker.tools.map(({ name }) => name))
  const session = await speaker.openSession(run.session ?? undefined)
  const talk = new Talk({ io, display, speaker, session, isResumed: true, suspends })
  // The servers are there until it is over.
  return await talk.goOn(run.id, run.forkedFrom !== null)
}

const nothing = (): undefined => undefined

/** A registry of models that must not be called. */
const UNCALLED: Registry = {
  keys: () => [],
  list: () => Promise.resolve([]),
  register: nothing,
  async resolve(id) {
    const call = (): Promise<never> =>
      Promise.reject(new Error('a run that is being ended calls no model'))
    const [provider = '', modelId = ''] = id.split('/', 2)
    const model = { specificationVersion: 'v4', provider, modelId, supportedUrls: {} } as const
    return { id, model: { ...model, doGenerate: call, doStream: call }, price: () => null }
  },
}

const SILENT: TurnDisplay = {
  show: nothing,
  ask: () => Promise.resolve(undefined),
  end: nothing,
  complain: nothing,
}

const usage = (message: string): EchelonError => new EchelonError('INVALID_INPUT', message)
