import { randomUUID } from 'node:crypto'
import pc from 'picocolors'
import { type Client, ClientError, createClient, type RunView } from 'echelon/client'
import { EchelonError, type RunEvent } from 'echelon/runtime'
import { type Commands, withCommonCommands } from '../conversation/commands.ts'
import { converse, statusOf } from '../conversation/converse.ts'
import { AWAY, type Display, type Ended, LATER } from '../conversation/display.ts'
import { openDisplay } from '../conversation/open-display.ts'
import { printTitle } from '../conversation/terminal-display.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { cancelOnInterrupt } from '../run/cancel-on-interrupt.ts'
import { clean } from '../terminal/clean.ts'
import type { Io } from '../io.ts'

/** Options of a chat with a server. */
export interface RemoteChoice {
  readonly url: string
  readonly token?: string
  readonly agent?: string
  readonly json?: true
  readonly approve?: 'always' | 'never' | 'later'
}

/** `echelon chat --url`: a conversation with an agent of a server. */
export async function remoteChat(
  io: Io,
  message: string,
  options: RemoteChoice,
): Promise<ExitStatus> {
  const { url, agent = 'chat' } = options
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new EchelonError(
      'INVALID_INPUT',
      '--url is not an address; give one such as http://127.0.0.1:3000',
    )
  }
  const token = options.token ?? io.env['ECHELON_SERVER_TOKEN']
  const client = createClient({ url, ...(token !== undefined && token !== '' && { token }) })
  const { kind } = await told(client.agents.get(agent))
  const display = openDisplay(io, options)
  const keeps = kind !== 'decide'
  const talk = new RemoteTalk({ io, display, client, agent, keeps })
  const ended = await converse(
    io,
    display,
    {
      commands: REMOTE_COMMANDS,
      context: talk,
      history: [],
      greet: () => printTitle(io, clean(agent), [pc.cyan(new URL(url).host)]),
      take: (text) => talk.take(text),
      redact: (text) => text,
    },
    message,
  )
  return ended === 'waiting' ? EXIT.waiting : statusOf(ended)
}

const REMOTE_COMMANDS: Commands<RemoteTalk> = withCommonCommands<RemoteTalk>({
  clear: {
    does: 'begin a new conversation',
    run: (talk) => {
      talk.clear()
      return 'a new conversation begins'
    },
  },
})

interface Parts {
  readonly io: Io
  readonly display: Display
  readonly client: Client
  readonly agent: string
  /** Whether the agent remembers earlier turns of a session. */
  readonly keeps: boolean
}

/** A conversation with an agent of a server. */
class RemoteTalk {
  readonly #parts: Parts
  #session = randomUUID()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  clear(): void {
    this.#session = randomUUID()
  }

  /** Runs one turn. Ctrl-C cancels it on the server; a second one exits at once. */
  async take(text: string): Promise<Ended> {
    const { io, display, client, agent, keeps } = this.#parts
    const { signal, release } = cancelOnInterrupt(io, (said) => display.complain(said))
    try {
      const session = keeps ? { session: this.#session } : {}
      const { id } = await told(client.runs.start({ agent, input: text, ...session }))
      const cancel = (): void => void client.runs.cancel(id).catch(() => undefined)
      signal.addEventListener('abort', cancel, { once: true })
      if (signal.aborted) cancel()
      return await this.#follow(id, signal)
    } finally {
      release()
    }
  }

  async #follow(run: string, signal: AbortSignal): Promise<Ended> {
    const events = this.#parts.client.runs.events(run)
    for (;;) {
      const next = await told(events.next())
      if (next.done === true) return this.#end(next.value)
      const { event } = next.value
      this.#parts.display.show(event)
      if (event.type === 'request-open' && (await this.#ask(run, event, signal)) === 'waiting') {
        return 'waiting'
      }
    }
  }

  async #ask(
    run: string,
    { request, about }: Extract<RunEvent, { type: 'request-open' }>,
    signal: AbortSignal,
  ): Promise<'waiting' | 'on'> {
    const { client, display } = this.#parts
    const reply = await display.ask(about, signal)
    if (reply === LATER || (reply === AWAY && !signal.aborted)) {
      display.complain(`it waits on the server as run ${run}`)
      return 'waiting'
    }
    if (reply === undefined || reply === AWAY) await told(client.runs.cancel(run))
    else {
      await client.runs.answer(run, request, reply).catch((error: unknown) => {
        if (!(error instanceof ClientError) || error.status !== 409) throw error
        display.complain('this was answered elsewhere')
      })
    }
    return 'on'
  }

  #end({ id, end, status }: RunView): Ended {
    const { text = '', reason = status, detail = null, cost = null } = end ?? {}
    const isWhole = end?.status === 'finished' && detail === null
    this.#parts.display.end({
      text,
      problem: isWhole ? undefined : (detail ?? reason),
      json: { text, reason, detail, run: id, cost },
    })
    if (status === 'canceled') return 'canceled'
    return end?.status === 'finished' ? 'answered' : 'failed'
  }
}

/** Errors of the server in the words of the command. */
async function told<Value>(answer: Promise<Value>): Promise<Value> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    const hint = error.status === 401 ? '; give one with --token or ECHELON_SERVER_TOKEN' : ''
    const whose = error.status === 0 ? '' : 'the server says: '
    throw new EchelonError('INVALID_INPUT', `${whose}${clean(error.message)}${hint}`, {
      cause: error,
    })
  }
}
