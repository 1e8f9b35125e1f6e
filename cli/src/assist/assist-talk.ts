import { EchelonError } from 'echelon/runtime'
import type { Assistant, AssistResult, AssistSession, MemoryFolder } from '@echelon/assist'
import { cancelOnInterrupt } from '../run/cancel-on-interrupt.ts'
import { STARTED_AS } from '../started-as.ts'
import { helpOf, namesOf, type TypedCommands } from '../chat/typed-commands.ts'
import { describeIntent, describePlan, describeWhy } from './describe.ts'
import type { Io } from '../io.ts'

/** A conversation with an assistant, of which nothing stays but its plans and evaluations. */
export class AssistTalk {
  readonly #io: Io

  readonly memory: MemoryFolder
  readonly #assistant: Assistant
  readonly #session: AssistSession
  #last: AssistResult | undefined

  constructor(io: Io, assistant: Assistant, session: AssistSession, memory: MemoryFolder) {
    this.#io = io
    this.#assistant = assistant
    this.#session = session
    this.memory = memory
  }

  /** What the last turn came to. */
  get last(): AssistResult | undefined {
    return this.#last
  }

  /** One turn. Ctrl-C cancels it, a second one leaves. What could not be kept of it is told. */
  async take(text: string, complain: (said: string) => void): Promise<AssistResult> {
    const interrupt = cancelOnInterrupt(this.#io, complain)
    try {
      const run = this.#assistant.run(text, { session: this.#session, signal: interrupt.signal })
      const unkept = notKeptIn(run)
      this.#last = await run.outcome
      for (const said of await unkept) complain(said)
      return this.#last
    } finally {
      interrupt.release()
    }
  }
}

type Events = ReturnType<Assistant['run']>

/** Of a full disk the turn itself hears nothing: it is answered all the same. */
async function notKeptIn(run: Events): Promise<readonly string[]> {
  const said: string[] = []
  let why = ''
  for await (const event of run) {
    if (event.type === 'step-end' && event.seen.type === 'failed') why = event.seen.error.message
    if (event.type !== 'note' || event.note.stage !== 'memory-not-kept') continue
    const { memory } = event.note.data
    if (typeof memory === 'string') said.push(`the ${memory} of this turn are not kept (${why})`)
  }
  return said
}

const NOTHING_YET = 'nothing was said yet'

export const ASSIST_COMMANDS: TypedCommands<AssistTalk> = {
  intent: {
    does: 'show what you want of the assistant, which outranks all else',
    async run({ memory }) {
      const how = `${STARTED_AS} intent edit changes it; it holds from the next turn on`
      return `${describeIntent(await memory.intent())}\n${how}`
    },
  },
  plan: {
    does: 'show how it goes about answering, and why that changed',
    async run({ last, memory }) {
      const { current_plan, revision_history } = await memory.plans()
      return describePlan(last?.plan ?? current_plan, revision_history)
    },
  },
  why: {
    does: 'say which layer decided what in the last turn, on what evidence',
    run: ({ last }) => (last === undefined ? NOTHING_YET : describeWhy(last)),
  },
  stop: { does: 'end; nothing of what was said is kept', run: () => undefined },
  help: { does: 'list the commands', run: () => helpOf(ASSIST_COMMANDS) },
  exit: { does: 'the same as /stop; so are /quit and Ctrl-D', run: () => undefined },
}

export const ASSIST_COMMAND_NAMES: readonly string[] = namesOf(ASSIST_COMMANDS)

/** A turn that cannot be begun or kept is told, and the conversation goes on. */
export async function tried(
  turn: () => Promise<AssistResult>,
  complain: (said: string) => void,
): Promise<AssistResult | undefined> {
  try {
    return await turn()
  } catch (error) {
    if (!(error instanceof EchelonError)) throw error
    complain(error.message)
    return undefined
  }
}
