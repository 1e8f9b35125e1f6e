import { readFile } from 'node:fs/promises'
import type {
  ReadResourceResult,
  Resource,
  ResourceTemplate,
} from '@modelcontextprotocol/sdk/types.js'
import type { IndexedArtifact } from 'echelon/internal/store'
import { type Principal, sessionIn, storedSession } from '../access/principal.ts'
import { notFound } from '../http/problem.ts'
import type { ServerContext } from '../http/server-context.ts'
import type { FileLink } from './agent-result.ts'

type Context = Pick<ServerContext, 'hub' | 'store'>

/** Runs whose files are listed. */
const MOST_RUNS = 50
const MOST_CONVERSATIONS = 100
/** A bigger file is not sent. */
const MOST_BYTES = 16 * 1024 * 1024

export const RESOURCE_TEMPLATES: readonly ResourceTemplate[] = [
  {
    uriTemplate: 'echelon://conversations/{agent}/{session}',
    name: 'conversation',
    description: 'The messages of a conversation with an agent',
    mimeType: 'application/json',
  },
  {
    uriTemplate: 'echelon://runs/{run}',
    name: 'run',
    description: 'A run: its status, and what it waits for',
    mimeType: 'application/json',
  },
  {
    uriTemplate: 'echelon://runs/{run}/artifacts/{name}',
    name: 'artifact',
    description: 'A file that a tool wrote in a run',
  },
]

const uriOf = (...parts: readonly string[]): string =>
  `echelon://${parts.map(encodeURIComponent).join('/')}`

/** Conversations and files of the user, newest first. */
export async function listResources(principal: Principal, context: Context): Promise<Resource[]> {
  const { hub, store } = context
  const sessions = await store.sessions.list()
  const conversations = sessions
    .flatMap(({ id, length }) => {
      const session = sessionIn(id)
      return session?.owner === principal.name ? [{ ...session, length }] : []
    })
    .slice(0, MOST_CONVERSATIONS)
    .map(({ agent, id, length }) => ({
      uri: uriOf('conversations', agent, id),
      name: `${agent}: ${id}`,
      description: `A conversation of ${length} messages`,
      mimeType: 'application/json',
    }))
  const runs = await hub.list(principal, { limit: MOST_RUNS })
  const files = await Promise.all(runs.map(({ id }) => filesOf(id, context)))
  return [...conversations, ...files.flat()]
}

/** Links to the files that a run wrote. */
export async function filesOf(
  run: string,
  { store }: Pick<Context, 'store'>,
): Promise<readonly FileLink[]> {
  const files = await store.artifacts.of(run)
  return files.map(({ name, mediaType }) => ({
    uri: uriOf('runs', run, 'artifacts', name),
    name,
    mimeType: mediaType,
  }))
}

/** @throws HttpProblem 404, also for what is another user's */
export async function readResource(
  uri: string,
  principal: Principal,
  context: Context,
): Promise<ReadResourceResult> {
  const [kind, first, second, third, ...more] = pathOf(uri)
  if (kind === 'conversations' && first !== undefined && second !== undefined) {
    if (third === undefined)
      return conversation(uri, { agent: first, id: second }, { principal, context })
  } else if (kind === 'runs' && first !== undefined && more.length === 0) {
    const run = await context.hub.find(first, principal)
    if (second === undefined) {
      const { id, agent, status, reason, requests, beganAt, changedAt } = run
      return json(uri, { id, agent, status, reason, requests, beganAt, changedAt })
    }
    if (second === 'artifacts' && third !== undefined) return artifact(uri, run.id, third, context)
  }
  throw notFound(`resource ${uri.slice(0, 500)}`)
}

function pathOf(uri: string): readonly string[] {
  const [, path] = /^echelon:\/\/(.{1,2000})$/s.exec(uri) ?? []
  try {
    return path === undefined ? [] : path.split('/').map(decodeURIComponent)
  } catch {
    return []
  }
}

async function conversation(
  uri: string,
  { agent, id }: { readonly agent: string; readonly id: string },
  { principal, context }: { readonly principal: Principal; readonly context: Context },
): Promise<ReadResourceResult> {
  context.hub.agent(agent, principal)
  const stored = await context.store.sessions.load(storedSession(principal, agent, id))
  if (stored === undefined) throw notFound(`resource ${uri}`)
  return json(uri, { agent, session: id, messages: stored.messages })
}

const json = (uri: string, value: object): ReadResourceResult => ({
  contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(value, null, 2) }],
})

async function artifact(
  uri: string,
  run: string,
  name: string,
  { store }: Context,
): Promise<ReadResourceResult> {
  const file = (await store.artifacts.of(run)).findLast((one) => one.name === name)
  if (file === undefined || file.bytes > MOST_BYTES) throw notFound(`resource ${uri}`)
  const content = await contentOf(file)
  if (content === undefined) throw notFound(`resource ${uri}`)
  const { mediaType: mimeType } = file
  const isText = /^text\/|json$/.test(mimeType)
  return {
    contents: [
      isText
        ? { uri, mimeType, text: content.toString('utf8') }
        : { uri, mimeType, blob: content.toString('base64') },
    ],
  }
}

/** The path is the store's own, not the client's. */
async function contentOf({ path, bytes }: IndexedArtifact): Promise<Buffer | undefined> {
  try {
    const content = await readFile(path)
    return content.length === bytes ? content : undefined
  } catch {
    return undefined
  }
}
