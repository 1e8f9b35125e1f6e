import type { BoundModel } from '../../../../packages/echelon/src/core/model/model.ts'
import { EchelonError } from '../../../../packages/echelon/src/core/value/error.ts'

/** The model of this id. */
export function foundModel(models: readonly BoundModel[], id: string): BoundModel {
  const model = models.find((one) => one.id === id)
  if (model === undefined) throw new EchelonError('UNKNOWN_MODEL', `there is no model ${id}`)
  return model
}
