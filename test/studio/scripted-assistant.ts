import { createAssistant, memoryFolder } from '@echelon/assist'
import { serveAssistant, type ServedAgent } from '@echelon/server'
import { asBound, scriptedModel } from 'echelon/testing'
import type { openStore } from '@echelon/store'
import { keptIntents } from '../../cli/src/serve/kept-intents.ts'

type Store = Awaited<ReturnType<typeof openStore>>

/** A draft that flatters, which the shipped intent never wants. */
export const FLATTERY =
  'What a brilliant, amazing question! You are absolutely right, and your plan is perfect.'
export const HONEST = 'What would your family lose if you moved, and what would it gain?'

/** The assistant on a scripted model, whose first draft drifts from the intent. */
export function scriptedAssistant(store: Store, folder: string): ServedAgent {
  const memory = memoryFolder(folder)
  const model = asBound(
    scriptedModel([FLATTERY, HONEST, FLATTERY, HONEST]),
    'test/writer',
    () => 0.001,
  )
  const assistant = createAssistant({ store, memory, executor: model })
  return serveAssistant(Object.assign(assistant, { intents: keptIntents(() => memory) }), {
    name: 'adviser',
    models: ['test/writer'],
    maxCost: null,
  })
}
