import type { TestContext } from 'node:test'
import { createAgent, createDecider, type Tool } from 'echelon'
import { asBound, type ScriptedAnswer, scriptedModel } from 'echelon/testing'
import {
  type AgentServer,
  createServer,
  type ServedAgent,
  serveChat,
  serveDecider,
  type ServerOptions,
} from '@echelon/server'
import { openStore } from '@echelon/store'

export type Store = Awaited<ReturnType<typeof openStore>>

/** A server with real parts on a free port: SQLite in memory, scripted and offline models. */
export interface Served {
  readonly url: string
  readonly server: AgentServer
  readonly store: Store
}

/** A chat agent on a scripted model. */
export function scripted(
  store: Store,
  script: readonly ScriptedAnswer[],
  { name = 'chat', tools = [] }: { name?: string; tools?: readonly Tool[] } = {},
): ServedAgent {
  const model = asBound(scriptedModel(script), 'test/model', () => 0.001)
  const agent = createAgent({ name, model, tools, store })
  return serveChat(agent, { description: 'Answers.' })
}

export const decider = async (store: Store): Promise<ServedAgent> =>
  serveDecider(
    await createDecider({
      small: 'offline/small',
      big: 'offline/big',
      journal: store.runs,
    }),
  )

/** Starts a server for one test, and stops it at its end. */
export async function serving(
  t: TestContext,
  agentsOn: (store: Store) => readonly ServedAgent[] | Promise<readonly ServedAgent[]>,
  options: Partial<ServerOptions> = {},
): Promise<Served> {
  const store = await openStore(':memory:')
  const server = createServer({ agents: await agentsOn(store), store, ...options })
  const url = await server.listen({ port: 0 })
  t.after(async () => {
    await server.stop()
    await store.close()
  })
  return { url, server, store }
}
