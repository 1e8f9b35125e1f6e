import { briefModels } from 'echelon/internal/chat'
import { sha256, systemClock, systemIds, systemTimeZone } from 'echelon/internal/platform'
import { asLanguageModel } from 'echelon/internal/model'
import { normalizerOf } from 'echelon/internal/providers'
import type { ArtifactStore } from 'echelon/internal/tool'
import { EchelonError } from 'echelon/internal/value'
import type { BoundModel } from 'echelon/providers'
import type { AssistantOptions, AssistantParts, AssistModel } from '../assistant-options.ts'
import { Assistant } from '../assistant.ts'
import { ProcessMemory } from '../defaults/process-memory.ts'
import { reflect } from '../reflection.ts'
import { readDraft } from '../sense/read-draft.ts'
import { readUser } from '../sense/read-user.ts'

/**
 * An assistant of four layers. Without options it works offline: it reflects with its user by rule, on the intent
 * that comes with Echelon.
 *
 * `const { text } = await createAssistant({ model: 'openai/gpt-5-nano' }).run('Should I move?').result`
 */
export const createAssistant = (options: AssistantOptions = {}): Assistant =>
  new Assistant(options, PARTS)

/** No layer has tools that make files. */
const noArtifacts: ArtifactStore = {
  write: () => Promise.reject(new EchelonError('INVALID_CONFIG', 'the assistant makes no files')),
}

async function load(model: AssistModel): Promise<BoundModel> {
  if (typeof model === 'string') return briefModels.resolve(model)
  if ('price' in model) return model
  return {
    id: `${model.provider}/${model.modelId}`,
    model: asLanguageModel(model),
    // An unknown price is never treated as free.
    price: () => null,
    normalizeError: normalizerOf(model.provider),
  }
}

const PARTS: AssistantParts = {
  clock: systemClock,
  ids: systemIds,
  artifacts: noArtifacts,
  timeZone: systemTimeZone,
  hash: sha256,
  memory: () => new ProcessMemory(),
  load,
  readUser,
  readDraft,
  reflect: (input, intent, plan, history) => reflect({ input, intent, plan, history }),
}
