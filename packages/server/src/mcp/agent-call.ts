import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type {
  CallToolResult,
  RequestId,
  ServerNotification,
} from '@modelcontextprotocol/sdk/types.js'
import type { Principal } from '../access/principal.ts'
import { problemOf } from '../http/problem.ts'
import type { ServerContext } from '../http/server-context.ts'
import { followParts } from '../runs/follow-parts.ts'
import type { TurnPart } from '../runs/turn-part.ts'
import { endedResult, errorResult, type FileLink, waitingResult } from './agent-result.ts'
import { type Asked, formFor } from './elicitation.ts'

/** A call of a tool that follows a run. */
export interface RunCall {
  readonly run: string
  readonly principal: Principal
  readonly server: McpServer
  readonly signal: AbortSignal
  /** Questions go to the stream of this request: a client need not hold another open. */
  readonly request: RequestId
  /** The client wants progress notifications with this token. */
  readonly progressToken: string | number | undefined
  readonly notify: (notification: ServerNotification) => Promise<void>
  readonly filesOf: (run: string) => Promise<readonly FileLink[]>
}

type Parts = Pick<ServerContext, 'hub' | 'clock' | 'log'>

/** Between two notes of progress. */
const PROGRESS_MS = 100
/** Time that a client's user has to answer. */
const ANSWER_MS = 60 * 60_000

/** Follows a run to its end, or until it waits for someone whom the client can't ask. A cancel ends the run. */
export async function followCall(call: RunCall, parts: Parts): Promise<CallToolResult> {
  const { run, principal, signal } = call
  const cancel = (): void => cancelRun(call, parts)
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  // The client's user is asked only while the call is followed.
  const over = new AbortController()
  const progress = new Progress(call, parts)
  const asking = new Map<string, AbortController>()
  try {
    for await (const { part } of followParts(parts.hub, run, { principal, signal: over.signal })) {
      if (part.type === 'end') return endedResult(part.end, { run, files: await call.filesOf(run) })
      if (part.type === 'answered') asking.get(part.request)?.abort()
      await progress.tell(part)
      if (part.type !== 'approval' && part.type !== 'question') continue
      if (!(await isOpen(part.request, call, parts))) continue
      if (!canElicit(call.server)) return waitingResult(part, run)
      const leaving = new AbortController()
      asking.set(part.request, leaving)
      const stop = AbortSignal.any([signal, over.signal, leaving.signal])
      // Not awaited: another user may answer first, and the run continues.
      elicit(part, call, { parts, stop }).catch((error: unknown) => {
        if (!stop.aborted) parts.log(`mcp: the run ${run} still waits: ${problemOf(error).message}`)
      })
    }
    return errorResult(`the run ${run} left this server, and continues at its next start`)
  } finally {
    signal.removeEventListener('abort', cancel)
    over.abort()
  }
}

function cancelRun({ run, principal }: RunCall, { hub, log }: Parts): void {
  const live = hub.live(run, principal)
  if (live !== undefined) live.cancel()
  else hub.cancel(run, principal).catch((error: unknown) => log(`mcp: ${String(error)}`))
}

/** A request of an earlier call was answered since then. */
async function isOpen(
  request: string,
  { run, principal }: RunCall,
  { hub }: Parts,
): Promise<boolean> {
  const live = hub.live(run, principal)
  if (live !== undefined && !live.log.isOver) return live.openRequests.includes(request)
  const { requests } = await hub.find(run, principal)
  return requests.some(({ id }) => id === request)
}

const canElicit = ({ server }: McpServer): boolean => {
  const elicitation = server.getClientCapabilities()?.elicitation
  // Clients before the two kinds send an empty object, and mean forms.
  return (
    elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
  )
}

async function elicit(
  asked: Asked,
  call: RunCall,
  { parts, stop }: { readonly parts: Parts; readonly stop: AbortSignal },
): Promise<void> {
  const { run, principal, server, request: relatedRequestId } = call
  const { params, reply } = formFor(asked)
  const result = await server.server.elicitInput(params, {
    signal: stop,
    timeout: ANSWER_MS,
    relatedRequestId,
  })
  const given = reply(result)
  if (given === undefined) return cancelRun(call, parts)
  await parts.hub.answer(run, { request: asked.request, reply: given }, principal)
}

/** Notes of what a run does, at most ten a second. */
class Progress {
  readonly #call: RunCall
  readonly #parts: Parts
  #count = 0
  #toldAt = -Infinity

  constructor(call: RunCall, parts: Parts) {
    this.#call = call
    this.#parts = parts
  }

  async tell(part: TurnPart): Promise<void> {
    const { progressToken, notify } = this.#call
    const message = messageOf(part)
    const now = this.#parts.clock.now()
    if (progressToken === undefined || message === undefined || now - this.#toldAt < PROGRESS_MS) {
      return
    }
    this.#toldAt = now
    const progress = ++this.#count
    await notify({
      method: 'notifications/progress',
      params: { progressToken, progress, message },
    }).catch(() => undefined)
  }
}

function messageOf(part: TurnPart): string | undefined {
  switch (part.type) {
    case 'step-start':
      return [part.actor, part.effect, ...part.targets].join(' ').slice(0, 500)
    case 'note':
      return part.stage.slice(0, 500)
    case 'tool-call':
      return `calls ${part.tool}`
    case 'approval':
      return `waits for approval of ${part.about.tool}`
    case 'question':
      return 'waits for an answer'
    case 'start':
    case 'step-end':
    case 'text-start':
    case 'text-delta':
    case 'text-end':
    case 'text-drop':
    case 'reasoning':
    case 'partial':
    case 'tool-progress':
    case 'tool-result':
    case 'client-turn':
    case 'answered':
    case 'model':
    case 'warning':
    case 'suspended':
    case 'end':
      return undefined
  }
}
