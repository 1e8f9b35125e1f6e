import type { BoundModel } from '../../core/model.ts'
import type { LLMProvider } from './llm-provider.ts'
export function modelOfProvider(_provider: LLMProvider, _id: string): BoundModel {
  throw new Error('not yet')
}
