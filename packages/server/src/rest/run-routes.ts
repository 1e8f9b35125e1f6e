import type { Context } from 'hono'
import type {
  FileInput,
  RunFilterQuery,
  RunPage,
  RunRequest,
  RunStatusView,
  RunSummaryView,
  RunView,
} from 'echelon/client'
import { hasEnded, type RunStatus } from 'echelon/internal/store'
import { inPlaceOf, type Principal, storedSession } from '../access/principal.ts'
import type { ServedAgent, TurnFile } from '../agents/served-agent.ts'
import { eventStream, sseFrame } from '../http/event-stream.ts'
import { guardedFetch } from '../http/guarded-fetch.ts'
import { HttpProblem } from '../http/problem.ts'
import type { Env, ServerContext } from '../http/server-context.ts'
import { type LoggedEvent, placeOf, readPlace, START } from '../runs/run-log.ts'
import { type Api, endpoint, none } from './endpoint.ts'
import { followRun } from './follow-run.ts'
import { startOnce } from './idempotency.ts'
import { liveView, runView, summaryView } from './run-view.ts'
import {
  answerRequest,
  eventsQuery,
  forkRequest,
  runFilter,
  runPage,
  runRequest,
  runView as runSchema,
} from './schemas.ts'

/** The routes of runs. */
export function runRoutes(api: Api, context: ServerContext): void {
  endpoint(api, {
    method: 'post',
    path: '/runs',
    tag: 'Runs',
    summary: 'Start a run',
    query: none,
    body: runRequest,
    headers: { 'idempotency-key': 'The same key and body give the same run' },
    answers: { 201: runSchema },
    errors: [403, 404, 409, 413, 503],
    handle: (c, { body }) => startRun(c, context, body),
  })
  endpoint(api, {
    method: 'get',
    path: '/runs',
    tag: 'Runs',
    summary: 'List your runs, newest first; for operators, those of everybody',
    query: runFilter,
    body: none,
    answers: { 200: runPage },
    errors: [404],
    handle: async (c, { query }) => c.json(await pageOf(context, c.get('principal'), query)),
  })
  reading(api, context)
  answering(api, context)
}

function reading(api: Api, context: ServerContext): void {
  endpoint(api, {
    method: 'get',
    path: '/runs/{id}',
    tag: 'Runs',
    summary: 'Read a run, with its end and its files',
    query: none,
    body: none,
    answers: { 200: runSchema },
    errors: [404],
    handle: async (c) => c.json(await viewOf(context, c.req.param('id') ?? '', c.get('principal'))),
  })
  endpoint(api, {
    method: 'get',
    path: '/runs/{id}/events',
    tag: 'Runs',
    summary: 'Follow the events of a run until it ends; a last event `end` holds the run',
    query: eventsQuery,
    body: none,
    headers: { 'last-event-id': 'The id of the last event that you have' },
    answers: { 200: 'text/event-stream' },
    errors: [404],
    handle: (c, { query }) => events(c, context, query.after),
  })
}

function answering(api: Api, context: ServerContext): void {
  const { hub } = context
  endpoint(api, {
    method: 'post',
    path: '/runs/{id}/cancel',
    tag: 'Runs',
    summary: 'Cancel a run',
    query: none,
    body: none,
    answers: { 202: runSchema },
    errors: [404],
    async handle(c) {
      const id = c.req.param('id') ?? ''
      await hub.cancel(id, c.get('principal'))
      return c.json(await viewOf(context, id, c.get('principal')), 202)
    },
  })
  endpoint(api, {
    method: 'post',
    path: '/runs/{id}/answer',
    tag: 'Runs',
    summary: 'Answer a request of a run',
    query: none,
    body: answerRequest,
    answers: { 200: runSchema },
    errors: [404, 409],
    async handle(c, { body }) {
      const id = c.req.param('id') ?? ''
      await hub.answer(id, body, c.get('principal'))
      return c.json(await viewOf(context, id, c.get('principal')))
    },
  })
  endpoint(api, {
    method: 'post',
    path: '/runs/{id}/fork',
    tag: 'Runs',
    summary: 'Start a run from a step of another one',
    query: none,
    body: forkRequest,
    answers: { 201: runSchema },
    errors: [403, 404, 409],
    async handle(c, { body }) {
      const { at, act, models } = body
      const principal = c.get('principal')
      const options = {
        at,
        ...(act !== undefined && { act }),
        ...(models !== undefined && { models }),
      }
      const from = c.req.param('id') ?? ''
      const { id } = await hub.fork(from, options, principal)
      // The store may not have it yet.
      return c.json({ ...(await viewOf(context, id, principal)), forked_from: from }, 201)
    },
  })
}

const LONGEST_KEY = 200

async function startRun(
  c: Context<Env>,
  context: ServerContext,
  request: RunRequest,
): Promise<Response> {
  const principal = c.get('principal')
  const agent = context.hub.agent(request.agent, principal)
  checkAccepted(agent, request)
  const start = async (runId: string): Promise<string> => {
    const { input, session, options, output, files = [] } = request
    const run = await context.hub.start(
      agent,
      {
        text: input,
        ...(options !== undefined && { options }),
        ...(output !== undefined && { output }),
        ...(files.length > 0 && { files: await Promise.all(files.map(fileOf)) }),
      },
      {
        principal,
        runId,
        traceparent: c.req.header('traceparent'),
        tracestate: c.req.header('tracestate'),
        ...(session !== undefined && { session }),
      },
    )
    return run.id
  }
  const key = c.req.header('idempotency-key')
  if (key !== undefined && (key === '' || key.length > LONGEST_KEY)) {
    throw new HttpProblem(
      400,
      'invalid_input',
      `Idempotency-Key has 1 to ${LONGEST_KEY} characters`,
    )
  }
  const id =
    key === undefined
      ? await start(context.ids.next())
      : await startOnce(context, {
          key,
          input: JSON.parse(JSON.stringify(request)),
          principal,
          start,
        })
  c.header('location', `/runs/${encodeURIComponent(id)}`)
  // It has just started, so the store has nothing newer.
  const live = key === undefined ? context.hub.live(id, principal) : undefined
  const isNew = live?.state === 'working'
  const view = isNew
    ? liveView(live, context.clock.now(), context.redact)
    : await viewOf(context, id, principal)
  return c.json(view, 201)
}

function checkAccepted({ name, accepts }: ServedAgent, request: RunRequest): void {
  const refused =
    request.session !== undefined && !accepts.sessions
      ? 'keeps no conversations; leave out session'
      : request.output !== undefined && !accepts.output
        ? 'gives no answer by a schema; leave out output'
        : request.files !== undefined && request.files.length > 0 && !accepts.files
          ? 'takes no files; leave them out'
          : undefined
  if (refused !== undefined) throw new HttpProblem(400, 'not_accepted', `${name} ${refused}`)
}

async function fileOf({ name, media_type, data, url }: FileInput): Promise<TurnFile> {
  if ((data === undefined) === (url === undefined)) {
    throw new HttpProblem(400, 'invalid_input', 'a file has either data or url')
  }
  if (data !== undefined) return { name: name ?? null, mediaType: media_type ?? UNKNOWN, data }
  const fetched = await guardedFetch(url ?? '')
  if (fetched.status !== 200) {
    throw new HttpProblem(400, 'file_missing', `a file answered with status ${fetched.status}`)
  }
  const type = media_type ?? fetched.mediaType?.split(';')[0]?.trim() ?? UNKNOWN
  return {
    name: name ?? null,
    mediaType: type,
    data: Buffer.from(fetched.body).toString('base64'),
  }
}

const UNKNOWN = 'application/octet-stream'

/** A run with all that is known of it. @throws HttpProblem 404 */
async function viewOf(
  { hub, store, clock, redact }: ServerContext,
  id: string,
  principal: Principal,
): Promise<RunView> {
  const live = hub.live(id, principal)
  const summary = await store.runs.find(id)
  if (summary === undefined && live !== undefined) return liveView(live, clock.now(), redact)
  const run = await hub.find(id, principal)
  const isOver = hasEnded(run)
  const isHere = live !== undefined && live.state !== 'suspended'
  const end = isHere ? live.end : undefined
  return runView(run, {
    live,
    redact,
    end: end ?? (!isHere && isOver ? await hub.endOf(id, principal) : undefined),
    artifacts: live?.madeFiles === false ? [] : await store.artifacts.of(id),
  })
}

async function pageOf(
  { hub, redact }: ServerContext,
  principal: Principal,
  filter: RunFilterQuery,
): Promise<RunPage> {
  const { status, agent, session, owner, search = '', limit = PAGE } = filter
  const whose = owner === undefined ? principal : inPlaceOf(principal, owner)
  // As if they had none.
  if (whose === undefined) return { runs: [], next: null }
  const words = search.toLowerCase()
  let { before } = filter
  if (before !== undefined) await hub.find(before, principal)
  const found: RunSummaryView[] = []
  let isEnd = false
  // One more tells whether there is a next page. Applies the filters that the store does not support.
  for (let read = 0; !isEnd && found.length <= limit && read < MOST_READ; read += CHUNK) {
    const runs = await hub.list(principal, {
      limit: CHUNK,
      ...(before !== undefined && { before }),
      ...(owner !== undefined && { owner }),
      ...(session !== undefined &&
        agent !== undefined && { session: storedSession(whose, agent, session) }),
      ...(isStored(status) && { status: [status] }),
    })
    found.push(
      ...runs
        .map((run) => summaryView(run, redact, hub.live(run.id, principal)))
        .filter((view) => agent === undefined || view.agent === agent)
        .filter((view) => session === undefined || view.session === session)
        .filter((view) => owner === undefined || view.owner === owner)
        .filter((view) => status === undefined || view.status === status)
        .filter(({ asked }) => words === '' || asked?.toLowerCase().includes(words)),
    )
    isEnd = runs.length < CHUNK
    before = runs.at(-1)?.id
  }
  const shown = found.slice(0, limit)
  const next = found.length > limit ? shown.at(-1)?.id : isEnd ? undefined : before
  return { runs: shown, next: next ?? null }
}

const PAGE = 50
/** Runs that are read at once; more than a page has. */
const CHUNK = 101
/** Runs that one request looks at. */
const MOST_READ = 10_000

const isStored = (status: RunStatusView | undefined): status is RunStatus =>
  status !== undefined && status !== 'failed'

async function events(
  c: Context<Env>,
  context: ServerContext,
  asked: string | undefined,
): Promise<Response> {
  const { hub } = context
  const principal = c.get('principal')
  const id = c.req.param('id') ?? ''
  if (hub.live(id, principal) === undefined) await hub.find(id, principal)
  const last = c.req.header('last-event-id') ?? asked
  const after = last === undefined || last === '' ? START : readPlace(last)
  if (after === undefined) {
    throw new HttpProblem(400, 'invalid_input', 'Last-Event-ID is not the id of an event')
  }
  const leaving = new AbortController()
  const frames = framesOf(context, id, { principal, after, signal: leaving.signal })
  return eventStream(frames, { onClose: () => leaving.abort() })
}

async function* framesOf(
  context: ServerContext,
  id: string,
  options: Parameters<typeof followRun>[2],
): AsyncGenerator<string, void> {
  const events = followRun(context, id, options)
  for (;;) {
    const next = await events.next()
    if (next.done === true) {
      if (!next.value) return
      const run = await viewOf(context, id, options.principal)
      yield sseFrame({ event: 'end', data: JSON.stringify(run) })
      return
    }
    // Events that are there already go out together.
    yield next.value.map(frameOf).join('')
  }
}

const frameOf = (logged: LoggedEvent): string =>
  sseFrame({
    id: placeOf(logged),
    event: logged.event.type,
    data: JSON.stringify({ at: logged.at, ...logged.event }),
  })
