import type { AGUIEvent } from '@ag-ui/core'
import { AGUI_MEDIA_TYPE, EventEncoder } from '@ag-ui/encoder'
import type { Context } from 'hono'
import { eventStream } from '../http/event-stream.ts'
import { jsonBody } from '../http/json-body.ts'
import type { Env, Protocol, ServerContext } from '../http/server-context.ts'
import { capabilitiesOf } from './capabilities.ts'
import { hubTurns } from './hub-turns.ts'
import { readRunInput } from './run-input.ts'
import { ThreadRuns } from './thread-runs.ts'

export interface AgUiOptions {
  /**
   * Time that a run continues after its client left, in milliseconds: a client that lost its connection comes
   * back with the same request, and gets all of it. Default 10 s; `null` for as long as it takes.
   */
  readonly lingerMs?: number | null
}

const LINGER_MS = 10_000

/** AG-UI: `POST /ag-ui/:agent` runs an agent, `GET /ag-ui/:agent` lists its capabilities. */
export function agUi({ lingerMs = LINGER_MS }: AgUiOptions = {}): Protocol {
  return {
    name: 'ag-ui',
    mount(app, context) {
      const threads = new ThreadRuns({
        clock: context.clock,
        lingerMs,
        onFault: (error) => context.log(`ag-ui: ${String(error)}`),
      })
      app.get('/ag-ui/:agent', (c) =>
        c.json(
          capabilitiesOf(
            context.hub.agent(c.req.param('agent'), c.get('principal')),
            context.version,
          ),
        ),
      )
      app.post('/ag-ui/:agent', (c) => run(c, c.req.param('agent'), { context, threads }))
    },
  }
}

async function run(
  c: Context<Env>,
  name: string,
  { context, threads }: { readonly context: ServerContext; readonly threads: ThreadRuns },
): Promise<Response> {
  const { hub, store } = context
  const principal = c.get('principal')
  const agent = hub.agent(name, principal)
  const input = readRunInput(await jsonBody(c))
  const trace = {
    traceparent: c.req.header('traceparent'),
    tracestate: c.req.header('tracestate'),
  }
  const leaving = new AbortController()
  const turns = hubTurns({ hub, store, agent, principal, trace })
  const events = await threads.open(input, turns, leaving.signal)
  const encoder = encoderFor(c.req.header('accept') ?? '')
  return eventStream(encoded(events, encoder), {
    contentType: encoder.getContentType(),
    onClose: () => leaving.abort(),
  })
}

/** Protobuf only for those who name it: to any type, the encoder would send it too. */
const encoderFor = (accept: string): EventEncoder =>
  new EventEncoder(accept.includes(AGUI_MEDIA_TYPE) ? { accept } : {})

async function* encoded(
  events: AsyncGenerator<AGUIEvent, void>,
  encoder: EventEncoder,
): AsyncGenerator<Uint8Array, void> {
  for await (const event of events) yield encoder.encodeBinary(event)
}
