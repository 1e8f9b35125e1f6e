import { createDecider, EchelonError } from 'echelon'
import type { ChatEnd } from 'echelon/chat'
import type { Config } from 'echelon/config'
import type { CaseResult, DecideSettings } from 'echelon/decide'
import { type Fork, forkRecording, replayRecording, type LoadedRecording } from 'echelon/replay'
import { isJsonObject, type Json, type RunEvent } from 'echelon/runtime'
import { standardTools } from '@echelon/tools'
import type { About, CaseAbout, ChatAbout } from '../record/about.ts'
import type { PicturedStep } from './picture.ts'
import type { ReplayedFile } from './replayed-file.ts'
import { OPEN } from '../chat/chat-skills.ts'
import { chatAgain, speakerIn } from './run-again.ts'
import type { Io } from '../io.ts'

/** Options of a fork. */
export interface ForkChoice {
  /** First step to run again; numbers start at 1. */
  readonly forkAt: number
  readonly small?: string
  readonly big?: string
  readonly model?: string
  readonly act: readonly string[]
}

/** Environment of a fork. */
export interface ForkWorld {
  readonly io: Io
  readonly config: Config
  readonly signal: AbortSignal
  readonly hear: (event: RunEvent) => void
  /** Called once all checks have passed, before the first step. */
  readonly begin: () => void
}

/** The end of a fork. */
export type Forked =
  | { readonly command: 'decide'; readonly result: CaseResult }
  | { readonly command: 'chat'; readonly end: ChatEnd<unknown> }

/** Start of a fork: the run, the step in it, and the number of the turn. */
export interface ForkPlace {
  readonly run: string
  readonly at: number
  readonly turn: number
}

/** @throws EchelonError INVALID_INPUT if the recording has no such step */
export function placeOf({ runs, record }: ReplayedFile, forkAt: number): ForkPlace {
  let steps = 0
  for (const [turn, { id, steps: all }] of runs.entries()) {
    const own = all.filter(({ n }) => n !== undefined)
    const isLast = turn === runs.length - 1
    if (forkAt <= steps + own.length + (isLast ? 1 : 0)) {
      return { run: id, at: seqAt(own, forkAt - steps - 1), turn }
    }
    steps += own.length
  }
  throw new EchelonError(
    'INVALID_INPUT',
    `${record.path} has ${steps} steps; fork it at a step from 1 to ${steps + 1}`,
  )
}

const seqAt = (steps: readonly PicturedStep[], index: number): number =>
  steps[index]?.seq ?? (steps.at(-1)?.seq ?? -1) + 1

/** Continues from a step with live models. @throws EchelonError */
export async function forkFile(
  { record, about }: ReplayedFile,
  place: ForkPlace,
  choice: ForkChoice,
  world: ForkWorld,
): Promise<Forked> {
  if (about === undefined) {
    throw new EchelonError(
      'INVALID_INPUT',
      `${record.path} was recorded by a program; fork it there, with forkRecording of echelon/replay`,
    )
  }
  checkModels(about, choice)
  const { run, at } = place
  const models = modelsOf(choice)
  const opens = about.command === 'chat' && about.brought.skills.length > 0
  const act = opens ? [...choice.act, OPEN] : choice.act
  const fork = await forkRecording(record.path, { run, at, models, act })
  return about.command === 'decide'
    ? { command: 'decide', result: await forkCase(fork, { about, choice }, world) }
    : { command: 'chat', end: await forkChat(fork, { about, choice, place }, world) }
}

function checkModels(about: About, { small, big, model }: ForkChoice): void {
  if (about.command === 'decide' && model !== undefined) {
    throw usage('--model is for a chat; use --small and --big for a case')
  }
  if (about.command === 'decide' && big !== undefined && about.models.length === 1) {
    throw usage('the case has only one model; name it with --small')
  }
  if (about.command === 'chat' && (small ?? big) !== undefined) {
    throw usage('--small and --big are for a case; use --model for a chat')
  }
}

function modelsOf({ small, big, model }: ForkChoice): Readonly<Record<string, string>> {
  return {
    ...(small !== undefined && { small }),
    ...(big !== undefined && { big }),
    ...(model !== undefined && { main: model }),
  }
}

interface ForkedCase {
  readonly about: CaseAbout
  readonly choice: ForkChoice
}

async function forkCase(
  fork: Fork,
  { about, choice }: ForkedCase,
  { config, signal, hear, begin }: ForkWorld,
): Promise<CaseResult> {
  const settings = { ...about.settings, models: laddered(about, choice) }
  checkAct(choice.act, await standardTools(), [])
  const decider = await createDecider(await fork.forDecider({ config, settings }))
  begin()
  const resumed = await decider.resume(fork.runId, { signal, onEvent: hear })
  return resumed.outcome
}

/** The recorded model ladder, with models replaced by the given ones. */
function laddered({ models }: CaseAbout, { small, big }: ForkChoice): DecideSettings['models'] {
  const last = models.length - 1
  const ladder = models.map((model, rung) =>
    rung === 0 ? (small ?? model) : rung === last ? (big ?? model) : model,
  )
  return { small_model: ladder[0] ?? '', big_model: ladder.at(-1) ?? '', ladder }
}

interface ForkedChat {
  readonly about: ChatAbout
  readonly choice: ForkChoice
  readonly place: ForkPlace
}

/** Replays earlier turns from the recording; the fork ends with its turn. */
async function forkChat(
  fork: Fork,
  { about, choice, place }: ForkedChat,
  { io, config, signal, hear, begin }: ForkWorld,
): Promise<ChatEnd<unknown>> {
  const { model, act } = choice
  const replay = await replayRecording(fork.record.path)
  const before = await chatAgain(io, replay, about, { hear: nothing, turns: place.turn })
  const name = model ?? modelAt(fork.record, place.run) ?? about.model
  const { agent, tools } = await speakerIn(io, fork, { ...about, model: name }, config)
  checkAct(act, tools, about.brought.tools)
  begin()
  const run = await agent.resume(fork.runId, { session: before.session, signal })
  for await (const event of run) {
    hear(event)
    if (event.type !== 'request-open') continue
    const reply = replyTo(event.about, fork.record, act)
    if (run.requests.includes(event.request)) run.respond(event.request, reply)
  }
  return run.outcome
}

/** @throws EchelonError INVALID_INPUT for an unknown tool, or one of an MCP server */
function checkAct(
  act: readonly string[],
  tools: readonly { readonly name: string }[],
  absent: readonly { readonly name: string }[],
): void {
  const names = tools.map(({ name }) => name)
  const unknown = act.find((name) => !names.includes(name))
  if (unknown !== undefined) {
    throw usage(
      `--act names ${unknown}, which is not a tool of the recording; its tools are ${names.join(', ')}`,
    )
  }
  const away = act.find((one) => absent.some(({ name }) => name === one))
  if (away === undefined) return
  throw usage(
    `--act names ${away}, a tool of an MCP server, which a fork does not connect to; fork without it, or start a new chat`,
  )
}

function modelAt({ entries }: LoadedRecording, run: string): string | undefined {
  const started = entries.get(run)?.find((entry) => entry.type === 'started')
  return started?.models['main']
}

/** The recorded answer to a question. New questions are denied, except for tools that may act. */
function replyTo(about: Json, { entries }: LoadedRecording, act: readonly string[]): Json {
  const all = [...entries.values()].flat()
  const asked = JSON.stringify(about)
  const same = all.find(
    (entry) => entry.type === 'requested' && JSON.stringify(entry.about) === asked,
  )
  const request = same?.type === 'requested' ? same.request : undefined
  const replied = all.find((entry) => entry.type === 'replied' && entry.request === request)
  if (replied?.type === 'replied') return replied.reply
  const tool = isJsonObject(about) ? about['tool'] : undefined
  if (typeof tool === 'string') return act.includes(tool) ? 'once' : 'never'
  return isJsonObject(about) && isBoolean(about['schema'] ?? null) ? false : ''
}

const isBoolean = (schema: Json): boolean => isJsonObject(schema) && schema['type'] === 'boolean'

const nothing = (): undefined => undefined

const usage = (message: string): EchelonError => new EchelonError('INVALID_INPUT', message)
