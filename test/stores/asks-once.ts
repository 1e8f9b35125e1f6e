import type { Agent } from '../../packages/echelon/src/agents/chat/chat-agent.ts'
import { createAgent } from '../../packages/echelon/src/chat.ts'
import { systemClock } from '../../packages/echelon/src/platform/clock.ts'
import { caching } from '../../packages/echelon/src/middleware/cache/caching.ts'
import { SqliteCache } from '../../packages/store/src/sqlite/cache.ts'
import { Database } from '../../packages/store/src/sqlite/file/database.ts'
import type { ScriptedAnswer } from '../../packages/echelon/src/testing/scripted-model.ts'
import { eventsOf, model } from '../chat/kit.ts'

/** The result of a question: the streamed pieces, the answer, and its usage. */
export interface Asked {
  readonly pieces: readonly string[]
  readonly text: string
  readonly cost: number | null
  readonly middleware: readonly string[]
}

/** Asks an agent whose cache is in a file. */
export async function ask(
  path: string,
  script: readonly ScriptedAnswer[],
  { session, through }: { readonly session?: string; readonly through?: 'a sub-agent' } = {},
): Promise<Asked> {
  const db = await Database.open(path)
  try {
    const store = new SqliteCache(db, systemClock)
    const expert = createAgent({ model: model(script), use: [caching({ store })] })
    const agent = through === 'a sub-agent' ? asking(expert) : expert
    const run = agent.run('why?', session === undefined ? {} : { session: agent.session(session) })
    const events = await eventsOf(run)
    const { text, cost } = await run.result
    return {
      text,
      cost,
      pieces: events.flatMap((event) => (event.type === 'text-delta' ? event.delta : [])),
      middleware: events.flatMap((event) => (event.type === 'middleware' ? event.event : [])),
    }
  } finally {
    db.close()
  }
}

/** An agent that delegates to another. */
const asking = (expert: Agent<object>): Agent<object> =>
  createAgent({
    model: model([{ toolCalls: [{ tool: 'ask_expert', input: { task: 'why?' } }] }, 'so']),
    tools: [expert.asTool({ name: 'ask_expert', description: 'knows why' })],
  })

const [, program, path] = process.argv
// In a separate process: with a model that has no answer.
if (program === import.meta.filename && path !== undefined) {
  console.log(JSON.stringify(await ask(path, [])))
}
