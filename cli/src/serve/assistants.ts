import { join } from 'node:path'
import { createAssistant, memoryFolder } from '@echelon/assist'
import { serveAssistant, type ServedAgent } from '@echelon/server'
import { assistModels } from '../assist/assist-models.ts'
import type { GlobalOptions } from '../configuration.ts'
import type { OpenedStore } from '../store/keep-store.ts'
import type { Io } from '../io.ts'
import { keptIntents } from './kept-intents.ts'

type Assistant = ReturnType<typeof createAssistant>
type Session = Awaited<ReturnType<Assistant['openSession']>>
type Turn = ReturnType<Assistant['run']>

interface Opened {
  readonly assistant: Assistant
  readonly session: Session
}

/** Folder of the intents of the server's users. */
const FOLDER = 'memory'

/**
 * The layered assistant for several users: each has their own intent, plans and evaluations. On this
 * machine without tokens these are those of `echelon assist`.
 */
export async function assistantAgent(
  io: Io,
  options: GlobalOptions,
  store: OpenedStore,
): Promise<ServedAgent> {
  const { options: models, config, name } = await assistModels(io, options)
  const known = new Map<string, Assistant>()
  const folderOf = (user: string): ReturnType<typeof memoryFolder> =>
    memoryFolder(user === LOCAL ? FOLDER : join(FOLDER, 'users', user))
  const assistantOf = (user: string): Assistant => {
    const memory = folderOf(user)
    const assistant = known.get(user) ?? createAssistant({ memory, store, ...models })
    known.set(user, assistant)
    return assistant
  }
  // A turn without a session stores nothing, and reads no user's intent.
  const alone = createAssistant({ ...models })
  return serveAssistant(
    {
      definition: alone.definition,
      intents: keptIntents(folderOf),
      async openSession(id: string, { keep }: { readonly keep: boolean }): Promise<Opened> {
        const assistant = assistantOf(id.split('/')[0] ?? LOCAL)
        return { assistant, session: await assistant.openSession(id, { keep }) }
      },
      run(text, { session, runId }): Turn {
        if (session === undefined) return alone.run(text, { runId })
        return session.assistant.run(text, { session: session.session, runId })
      },
      async resume(runId): Promise<Turn> {
        const run = await store.runs.find(runId)
        return assistantOf(run?.session?.split('/')[0] ?? LOCAL).resume(runId)
      },
    },
    {
      models: models.executor === null ? [] : [name],
      maxCost: models.executor === null ? 0 : config.settings.budget.max_cost_usd,
    },
  )
}

const LOCAL = 'local'
