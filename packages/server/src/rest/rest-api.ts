import { isJsonObject, type RunEvent } from 'echelon/runtime'
import type { Context } from 'hono'
import { eventStream, sseFrame } from '../http/event-stream.ts'
import { jsonBody } from '../http/json-body.ts'
import { HttpProblem } from '../http/problem.ts'
import type { Env, Protocol, ServerContext } from '../http/server-context.ts'
import type { LoggedEvent } from '../runs/run-log.ts'
import { placeOf, readPlace, START } from '../runs/run-log.ts'

/** Our own API: runs and their events. */
export const restApi: Protocol = {
  name: 'rest',
  mount(app, context) {
    const { hub } = context
    app.post('/runs', (c) => startRun(c, context))
    app.get('/runs/:id/events', async (c) => {
      const principal = c.get('principal')
      const id = c.req.param('id')
      if (hub.live(id, principal) === undefined) await hub.find(id, principal)
      const after = readPlace(c.req.header('last-event-id') ?? c.req.query('after') ?? '') ?? START
      const leaving = new AbortController()
      const events = hub.follow(id, principal, { after, signal: leaving.signal })
      return eventStream(frames(events), { onClose: () => leaving.abort() })
    })
  },
}

async function startRun(c: Context<Env>, { hub }: ServerContext): Promise<Response> {
  const { agent: name, input, session, options = {} } = await jsonBody(c)
  if (typeof name !== 'string' || typeof input !== 'string') {
    throw new HttpProblem(400, 'invalid_input', 'send { "agent": "…", "input": "…" }')
  }
  const principal = c.get('principal')
  const agent = hub.agent(name, principal)
  const run = await hub.start(
    agent,
    { text: input, ...(isJsonObject(options) && { options }) },
    { principal, ...(typeof session === 'string' && { session }) },
  )
  return c.json({ id: run.id, agent: name, status: 'running' }, 201)
}

async function* frames(events: AsyncIterable<LoggedEvent>): AsyncGenerator<string, void> {
  for await (const logged of events) {
    const event: RunEvent = logged.event
    yield sseFrame({
      id: placeOf(logged),
      event: event.type,
      data: JSON.stringify({ at: logged.at, ...event }),
    })
  }
}
