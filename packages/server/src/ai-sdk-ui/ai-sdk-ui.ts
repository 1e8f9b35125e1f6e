import type { Context } from 'hono'
import { eventStream, sseFrame } from '../http/event-stream.ts'
import { jsonBody } from '../http/json-body.ts'
import { HttpProblem } from '../http/problem.ts'
import type { Env, Protocol, ServerContext } from '../http/server-context.ts'
import type { PlacedPart } from '../runs/follow-parts.ts'
import type { LiveRun } from '../runs/live-run.ts'
import { isWait, untilWait } from '../runs/until-wait.ts'
import { type Chat, Chats, keyOf } from './chats.ts'
import { rewind } from './rewind.ts'
import { UiChunks } from './ui-chunks.ts'
import { textIn, turnOf } from './ui-history.ts'
import { readUiRequest, type UiRequest } from './ui-request.ts'
import { answerWait } from './wait-answers.ts'

/** The AI SDK's UI message stream, as `useChat` of `@ai-sdk/react` speaks it. */
export const aiSdkUi: Protocol = {
  name: 'ai-sdk-ui',
  mount(app, context) {
    const chats = new Chats(context)
    app.post('/ai/:agent', async (c) => {
      const request = readUiRequest(await jsonBody(c))
      const chat = chatOf(c, context, request.chat)
      const { last } = request
      if (last.role === 'assistant') return continued(context, chats, { chat, request })
      return started(c, context, chats, { chat, request })
    })
    app.get('/ai/:agent/:id/stream', async (c) => {
      const chat = chatOf(c, context, c.req.param('id'))
      const run = await chats.live(chat)
      return run === undefined ? c.body(null, 204) : streamOf(context, chat, run)
    })
    app.post('/ai/:agent/:id/stop', async (c) => {
      const chat = chatOf(c, context, c.req.param('id'))
      const run = await chats.live(chat)
      run?.cancel()
      await run?.outcome
      return c.body(null, 204)
    })
  },
}

/** @throws HttpProblem 404 for an unknown agent */
function chatOf(c: Context<Env>, { hub }: ServerContext, id: string): Chat {
  if (id.length > 200) throw new HttpProblem(400, 'invalid_input', 'the id of a chat is too long')
  const principal = c.get('principal')
  return { principal, agent: hub.agent(c.req.param('agent') ?? '', principal), id }
}

interface Asked {
  readonly chat: Chat
  readonly request: UiRequest
}

/** A new turn. Cancels the open work of the chat, because the user sent a new message. */
async function started(
  c: Context<Env>,
  context: ServerContext,
  chats: Chats,
  { chat, request }: Asked,
): Promise<Response> {
  const { agent, principal, id } = chat
  const before = await chats.live(chat)
  if (before !== undefined) {
    before.cancel()
    await before.outcome
  }
  const keeps = agent.accepts.sessions
  if (keeps && request.isRewrite) {
    const users = request.messages.slice(0, -1).filter(({ role }) => role === 'user')
    const earlier = users.map(({ parts }) => textIn(parts))
    await rewind(context.store, keyOf(chat), { earlier, at: context.clock.now() })
  }
  const stored = keeps ? await context.store.sessions.load(keyOf(chat)) : undefined
  const hasConversation = stored !== undefined && stored.messages.length > 0
  const input = await turnOf(agent, request, hasConversation)
  const run = await context.hub.start(agent, input, {
    principal,
    ...(keeps && { session: id }),
    traceparent: c.req.header('traceparent'),
    tracestate: c.req.header('tracestate'),
  })
  chats.add(chat, run)
  return streamOf(context, chat, run)
}

/** Continues the run with the user's answer. */
async function continued(
  context: ServerContext,
  chats: Chats,
  { chat, request }: Asked,
): Promise<Response> {
  const run = await chats.live(chat)
  const wait = run?.isWaiting === true ? await waitOf(context, chat, run) : undefined
  if (run === undefined || wait === undefined || !isWait(wait.part)) {
    throw new HttpProblem(409, 'not_waiting', 'nothing waits for an answer in this chat')
  }
  answerWait(run, wait.part, request.messages)
  return streamOf(context, chat, run, wait.place)
}

/** The open requests of a run. */
async function waitOf(
  { hub }: ServerContext,
  { principal }: Chat,
  run: LiveRun,
): Promise<PlacedPart | undefined> {
  let last: PlacedPart | undefined
  const { signal } = new AbortController()
  for await (const placed of untilWait(hub, run.id, { principal, signal })) last = placed
  return last
}

/** The run from a place on, until it ends or waits. A client that leaves may come back. */
function streamOf(
  { hub }: ServerContext,
  { principal, agent }: Chat,
  run: LiveRun,
  after?: PlacedPart['place'],
): Response {
  const leaving = new AbortController()
  const { signal } = leaving
  const parts = untilWait(hub, run.id, { principal, signal, ...(after !== undefined && { after }) })
  return eventStream(frames(parts, { run, agent: agent.name }), {
    headers: { 'x-vercel-ai-ui-message-stream': 'v1', 'x-echelon-run': run.id },
    onClose: () => leaving.abort(),
  })
}

async function* frames(
  parts: AsyncIterable<PlacedPart>,
  { run, agent }: { readonly run: LiveRun; readonly agent: string },
): AsyncGenerator<string, void> {
  const chunks = new UiChunks(run.id)
  let last: PlacedPart['part']['type'] | undefined
  for (const chunk of chunks.begin(agent)) yield frame(chunk)
  for await (const { part, place } of parts) {
    last = part.type
    for (const chunk of chunks.of(part, place)) yield frame(chunk)
  }
  if (last !== 'end' && last !== 'suspended') for (const chunk of chunks.wait()) yield frame(chunk)
  yield 'data: [DONE]\n\n'
}

const frame = (chunk: unknown): string => sseFrame({ data: JSON.stringify(chunk) })
