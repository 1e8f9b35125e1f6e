import { createDecider, EchelonError } from 'echelon'
import type { Agent, ChatEnd, Session } from 'echelon/chat'
import type { Config } from 'echelon/config'
import type { CaseResult, Decider } from 'echelon/decide'
import type { RunReplay } from 'echelon/replay'
import { isJsonObject, type Json, type RunEvent } from 'echelon/runtime'
import { absentSkills } from '../chat/chat-skills.ts'
import { agentOf } from '../chat/make-agent.ts'
import { absentTool } from '../record/offered-parts.ts'
import type { CaseAbout, ChatAbout } from '../record/about.ts'
import type { Io } from '../io.ts'

/** Receives an event of a replayed run. */
export type Hear = (run: string, event: RunEvent) => void

/** Replays the case of a recording from the recording alone. */
export async function caseAgain(
  replay: RunReplay,
  { task, settings, options }: CaseAbout,
  hear: Hear,
): Promise<{ readonly result: CaseResult; readonly decider: Decider }> {
  const decider = await createDecider(await replay.forDecider({ settings }))
  const started = await decider.start(task, { ...options, onEvent: heardBy(hear) })
  replay.watch(started.run)
  return { result: await started.outcome, decider }
}

/** Adds the run id to events, which only the first event has. */
function heardBy(hear: Hear): (event: RunEvent) => void {
  let run = ''
  return (event) => {
    if (event.type === 'run-start') run = event.runId
    hear(run, event)
  }
}

/** A replayed conversation. */
export interface TalkedAgain {
  readonly agent: Agent
  readonly session: Session
  readonly ends: readonly ChatEnd<unknown>[]
}

/**
 * Replays the conversation of a recording from the recording alone.
 * @param turns number of turns; default: all
 */
export async function chatAgain(
  io: Io,
  replay: RunReplay,
  about: ChatAbout,
  { hear, turns = Infinity }: { readonly hear: Hear; readonly turns?: number },
): Promise<TalkedAgain> {
  const { agent } = await speakerIn(io, replay, about)
  let session = sessionOf(agent, about)
  const ends: ChatEnd<unknown>[] = []
  let taken = 0
  for (const note of replay.record.notes) {
    const { type, text } = fieldsOf(note)
    if (type === 'turn' && taken++ === turns) break
    await quiet()
    if (type === 'turn') {
      const end = await turn({ replay, agent, session, hear }, text).catch(couldNotBegin)
      if (end !== undefined) ends.push(end)
    }
    if (type === 'undo') session.undo()
    else if (type === 'clear') session = agent.session()
    else if (type === 'switch') await agent.switchProvider(fieldsOf(note).model).catch(nothing)
  }
  return { agent, session, ends }
}

/** A turn that failed to start did not end the chat. */
function couldNotBegin(error: unknown): undefined {
  const isPart = error instanceof EchelonError && error.code !== 'UNRECORDED_CALL'
  if (!isPart) throw error
}

interface Turning {
  readonly replay: RunReplay
  readonly agent: Agent
  readonly session: Session
  readonly hear: Hear
}

async function turn(
  { replay, agent, session, hear }: Turning,
  text: string,
): Promise<ChatEnd<unknown>> {
  const run = replay.watch(agent.run(text, { session }))
  for await (const event of run) hear(run.id, event)
  return run.outcome
}

/** The agent of a chat as recorded. A fork continues live, with the current configuration. */
export const speakerIn = async (
  io: Io,
  world: Pick<RunReplay, 'forAgent'>,
  { model, settings, canAsk, unasked, choice, brought }: ChatAbout,
  live: Partial<Pick<Config, 'providers' | 'modelTimeouts'>> = {},
): ReturnType<typeof agentOf> =>
  agentOf(
    io,
    choice,
    { config: { providers: {}, ...live, settings, run: RUN }, model },
    {
      canAsk,
      ...(unasked && { unasked: nothing }),
      // Connects to no server and reads no folder.
      moreTools: brought.tools.map(absentTool),
      skills: await absentSkills(brought.skills, choice),
      world: () => world,
    },
  )

const RUN = { mode: 'hrm_small_then_escalate', seed: null, artifacts: 'artifacts' } as const

const sessionOf = (agent: Agent, { checkpoint }: ChatAbout): Session =>
  checkpoint === undefined ? agent.session() : agent.restoreSession(checkpoint, { trusted: true })

function fieldsOf(note: Json): {
  readonly type: string
  readonly text: string
  readonly model: string
} {
  const { type = '', text = '', model = '' } = isJsonObject(note) ? note : {}
  return { type: textOf(type), text: textOf(text), model: textOf(model) }
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : '')

/** Waits until earlier work has settled, as it had in the recording. */
const quiet = (): Promise<void> =>
  new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

const nothing = (): undefined => undefined
