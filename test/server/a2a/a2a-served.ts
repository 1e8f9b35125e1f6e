import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { createAgent, createDecider, defineTool, type Tool } from 'echelon'
import { artifactFolder } from 'echelon/runtime'
import { asBound, type ScriptedAnswer, scriptedModel } from 'echelon/testing'
import {
  a2a,
  type AgentServer,
  createServer,
  HttpProblem,
  type Principal,
  serveChat,
  type ServedAgent,
  serveDecider,
  serveSupport,
} from '@echelon/server'
import { openStore } from '@echelon/store'
import { createSupportAgent, demoOrders, JSONDataSource } from '@echelon/support'
import { z } from 'zod'

export type Store = Awaited<ReturnType<typeof openStore>>

export interface A2aServed {
  readonly url: string
  readonly hub: AgentServer['hub']
  readonly store: Store
  readonly log: readonly string[]
  /** Stops the server and closes its store, as at the end of a process. */
  stop(): Promise<void>
}

export interface A2aServedOptions {
  /** The file of the store; default in memory. */
  readonly file?: string
  readonly allowPrivate?: boolean
  readonly runsAtOnce?: number
}

/** The users of these tests, by their bearer token. */
const USERS: Readonly<Record<string, Principal>> = {
  ann: { name: 'ann' },
  bob: { name: 'bob' },
}

/** A server of A2A with two users, on a free port. Without a token a request is ann's. */
export async function a2aServing(
  t: TestContext,
  agentsOn: (store: Store) => Promise<readonly ServedAgent[]> | readonly ServedAgent[],
  { file = ':memory:', allowPrivate = true, runsAtOnce = 256 }: A2aServedOptions = {},
): Promise<A2aServed> {
  const store = await openStore(file)
  const log: string[] = []
  const server = createServer({
    agents: await agentsOn(store),
    store,
    protocols: [a2a({ allowPrivate })],
    authenticate: userOf,
    runsAtOnce,
    log: (line) => log.push(line),
  })
  const url = await server.listen({ port: 0 })
  let isStopped = false
  const stop = async (): Promise<void> => {
    if (isStopped) return
    isStopped = true
    await server.stop()
    // The follower of a task notes its end.
    await new Promise((resolve) => setTimeout(resolve, 50))
    await store.close()
  }
  t.after(stop)
  return { url, hub: server.hub, store, log, stop }
}

function userOf({ headers }: Request): Principal {
  const token = headers.get('authorization')?.replace(/^Bearer /, '') ?? 'ann'
  const user = USERS[token]
  if (user === undefined) throw new HttpProblem(401, 'unauthorized', 'the token is not known')
  return user
}

/** A folder that the test's end deletes. */
export async function folderOf(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'echelon-a2a-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export interface ScriptedOptions {
  readonly name?: string
  readonly tools?: readonly Tool[]
  /** Where tools write their files. */
  readonly folder?: string
}

/** A chat agent on a scripted model. */
export function scriptedChat(
  store: Store,
  script: readonly ScriptedAnswer[],
  { name = 'chat', tools = [], folder }: ScriptedOptions = {},
): ServedAgent {
  const agent = createAgent({
    name,
    model: asBound(scriptedModel(script), 'test/model', () => 0.001),
    tools,
    store,
    ...(folder !== undefined && { artifacts: artifactFolder({ folder }) }),
  })
  return serveChat(agent, {
    description: 'Answers from a script.',
    tools: tools.map((tool) => ({ name: tool.name, description: tool.description })),
  })
}

export const offlineDecider = async (store: Store): Promise<ServedAgent> =>
  serveDecider(
    await createDecider({ small: 'offline/small', big: 'offline/big', journal: store.runs }),
    { tools: [{ name: 'calculator', description: 'Calculates' }] },
  )

/** The support agent with the orders of the demonstration; every caller is the customer C-001. */
export async function demoSupport(store: Store, folder: string): Promise<ServedAgent> {
  const changes = join(folder, 'changes.json')
  const dataSource = new JSONDataSource({ orders: demoOrders(), changes })
  const agent = await createSupportAgent({ store, dataSource, wording: { natural: false } })
  return serveSupport(agent, { maxCost: 0, customerOf: () => 'C-001' })
}

/** A tool that waits for approval. */
export const sendTool = (sent: string[] = []): Tool<{ to: string }> =>
  defineTool({
    name: 'send',
    description: 'Sends a letter',
    does: 'acts',
    needsApproval: true,
    input: z.object({ to: z.string() }),
    run: ({ to }) => {
      sent.push(to)
      return `sent to ${to}`
    },
  })

/** A tool that asks the user for a number of copies. */
export const copiesTool: Tool = defineTool({
  name: 'copies',
  description: 'Asks how many copies are wanted',
  input: z.object({}),
  run: async (_, { ask }) => ({
    copies: (await ask?.('How many copies?', { type: 'integer', minimum: 1 })) ?? null,
  }),
})

/** A tool that writes a file. */
export const noteTool: Tool<{ text: string }> = defineTool({
  name: 'note',
  description: 'Writes a note',
  input: z.object({ text: z.string() }),
  run: async ({ text }, { artifacts }) => {
    const { name } = await artifacts.write('note.txt', new TextEncoder().encode(text))
    return { name }
  },
})
