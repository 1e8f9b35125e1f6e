import {
  type Attempt,
  type CascadeModelOptions,
  proved,
  refuted,
  scored,
  silent,
  type Verifier,
} from '../../packages/echelon/src/verify.ts'
import type { BoundModel } from '../../packages/echelon/src/core/model/model.ts'
import {
  asBound,
  type ScriptedAnswer,
  type ScriptedModel,
  scriptedModel,
} from '../../packages/echelon/src/testing/scripted-model.ts'

/** Believes what an answer says of itself, and keeps what it was shown. */
export function trusting(seen: Attempt[] = []): Verifier {
  return {
    name: 'trusting',
    features: [],
    verify(attempt) {
      seen.push(attempt)
      const said = JSON.stringify(attempt.answer)
      if (said.includes('surely')) return proved('it is sure')
      if (said.includes('wrong')) return refuted('it contradicts itself')
      if (said.includes('unclear')) return silent('nothing is known')
      return scored(said.includes('maybe') ? 0.3 : 0.9, 'it sounds right')
    },
  }
}

export const OPTIONS: CascadeModelOptions = { verify: trusting(), accept: 0.8 }

/** A model that costs a dollar a token. */
export const dear = (script: readonly ScriptedAnswer[], id: string): BoundModel & ScriptedBound => {
  const model = scriptedModel(script, { modelId: id })
  return { ...asBound(model, id, ({ input, output }) => input + output), model }
}

interface ScriptedBound {
  readonly model: ScriptedModel
}
