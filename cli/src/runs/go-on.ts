import { createDecider, EchelonError } from 'echelon'
import type { Decider } from 'echelon/decide'
import type { Registry } from 'echelon/providers'
import type { RunSummary } from '@echelon/store'
import { standardTools } from '@echelon/tools'
import { caseConfig } from '../run/case-config.ts'
import { caseTools } from '../run/case-tools.ts'
import { chatServers } from '../chat/chat-servers.ts'
import { LinePrompt } from '../chat/terminal/line-prompt.ts'
import { makeAgent } from '../chat/make-agent.ts'
import { plainFace } from '../chat/terminal/plain-face.ts'
import { type Face, Talk, type TurnEnd } from '../chat/talk.ts'
import { TerminalFace } from '../chat/terminal/terminal-face.ts'
import { clean } from '../terminal/clean.ts'
import type { GlobalOptions } from '../configuration.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { keepRecords } from '../records.ts'
import type { OpenedStore } from '../store/keep-store.ts'
import { goWhereMade, type Made, type MadeCase, type MadeChat, readMade } from '../store/made.ts'
import { watchCase } from '../run/watch-case.ts'
import { waitingLines } from './say-waiting.ts'
import type { Io } from '../io.ts'

/** What whoever goes on with a run may have to say again, and how it is shown. */
export interface GoOnOptions extends GlobalOptions {
  readonly baseUrl?: string
  readonly stockUrl?: string
  readonly json?: true
}

/** A run with the command that made its agent. */
export interface OwnRun {
  readonly run: RunSummary
  readonly made: Made
  /** Puts it on record, where it is not there yet, once nothing is left to refuse. */
  readonly begin?: (tools: readonly string[]) => Promise<void>
}

/** @throws EchelonError INVALID_INPUT for a run that a program began: it alone has the agent */
export function ownRun(run: RunSummary): OwnRun {
  const made = readMade(run.made)
  if (made !== undefined) return { run, made }
  if (run.agent === 'support') {
    throw usage(
      `the run is a turn of the support session ${clean(run.session ?? run.id)}, begun by a program, which alone has its tools; the router there finishes it before the next message of the session, or when the same message comes again`,
    )
  }
  throw usage(
    `the run was begun by a program, which alone has the agent ${clean(run.agent)}; go on with it there, with resume('${clean(run.id)}') or a host; from here it may be answered with --later`,
  )
}

/**
 * Goes on with a run in this process, in the folder in which it was begun. In a terminal what it
 * asks is asked; elsewhere it stays open.
 */
export async function goOn(
  io: Io,
  { run, made, begin }: OwnRun,
  store: OpenedStore,
  given: GoOnOptions,
): Promise<ExitStatus> {
  const options = goWhereMade(made, given)
  if (made.command === 'decide') return caseGoesOn(io, run, made, { store, options, begin })
  const inTerminal = options.json !== true && io.stdin.isTTY && io.stdout.isTTY
  const face = inTerminal
    ? new TerminalFace(io, new LinePrompt(io), undefined)
    : plainFace(io, { json: options.json === true, approve: 'later' })
  const end = await turnGoesOn(io, run, made, { store, options, begin, face, letsGo: !inTerminal })
  if (!('run' in end)) return end.reason === 'stop' ? EXIT.success : EXIT.unverified
  const waiting = (await store.runs.find(run.id)) ?? run
  for (const line of waitingLines(waiting)) io.stderr.write(`${line}\n`)
  return EXIT.waiting
}

/**
 * Ends a run on which no process works: it is taken up, and hears that it is to end. No model is
 * loaded, since none is called: it can be ended without a key.
 */
export async function endHere(
  io: Io,
  { run, made }: OwnRun,
  store: OpenedStore,
  given: GoOnOptions,
): Promise<void> {
  const options = goWhereMade(made, given)
  const here = { store, options, registry: UNCALLED }
  if (made.command === 'chat') {
    await turnGoesOn(io, run, made, { ...here, face: SILENT, letsGo: true })
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
  /** Where its models come from; default those of the configuration. */
  readonly registry?: Registry
}

async function caseGoesOn(
  io: Io,
  run: RunSummary,
  made: MadeCase,
  here: Here,
): Promise<ExitStatus> {
  const { decider, tools, remarks } = await deciderFor(io, made, here)
  await here.begin?.(tools)
  const view = { ...here.options, isAsked: true, events: here.store.events, remarks }
  const result = await watchCase(io, view, async (watching) => {
    const resumed = await decider.resume(run.id, watching)
    return resumed.outcome
  })
  return result.verified ? EXIT.success : EXIT.unverified
}

/** The decider as it was when the case was begun. */
async function deciderFor(
  io: Io,
  { models, settings, artifacts }: MadeCase,
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
  readonly face: Face
  /** Whether it lets go of the process as soon as it waits for a person. */
  readonly letsGo: boolean
}

async function turnGoesOn(
  io: Io,
  run: RunSummary,
  { model, choice, canAsk }: MadeChat,
  { store, options, begin, registry, face, letsGo }: TurnHere,
): Promise<TurnEnd> {
  await using servers = await chatServers(io, { ...options, ...choice }, face)
  const given = { store, moreTools: servers.tools, canAsk, ...(registry && { registry }) }
  const speaker = await makeAgent(io, { ...choice, ...options, model }, given)
  await begin?.(speaker.tools.map(({ name }) => name))
  const session = await speaker.openSession(run.session ?? undefined)
  const talk = new Talk(io, speaker, session, { isResumed: true, letsGo })
  // The servers are there until it is over.
  return run.forkedFrom === null
    ? await talk.goOn(run.id, face)
    : await talk.goOnApart(run.id, face)
}

const nothing = (): undefined => undefined

/** Models of any name that nobody can call. */
const UNCALLED: Registry = {
  keys: () => [],
  list: () => Promise.resolve([]),
  register: nothing,
  async resolve(id) {
    const call = (): Promise<never> => Promise.reject(new Error('a run that ends calls no model'))
    const [provider = '', modelId = ''] = id.split('/', 2)
    const model = { specificationVersion: 'v4', provider, modelId, supportedUrls: {} } as const
    return { id, model: { ...model, doGenerate: call, doStream: call }, price: () => null }
  },
}

const SILENT: Face = {
  show: nothing,
  answer: () => Promise.resolve(undefined),
  end: nothing,
  say: nothing,
  complain: nothing,
}

const usage = (message: string): EchelonError => new EchelonError('INVALID_INPUT', message)
