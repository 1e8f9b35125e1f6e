import type { ModelCall } from '../extension/middleware.ts'

/** The model that a call is addressed to, as `provider/model`. */
export function calledModel({ model, modelId }: Pick<ModelCall, 'model' | 'modelId'>): string {
  if (model === undefined) return modelId
  return typeof model === 'string' ? model : model.id
}
