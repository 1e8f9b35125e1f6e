import { isObject, textOf } from '../../run/story/fields.ts'

const LAYERS = ['intent', 'planner', 'executor', 'evaluator'] as const

/** A layer's decision and the reasons for it. */
export interface LayerDecision {
  readonly layer: (typeof LAYERS)[number]
  readonly decided: string
  readonly because: string
  /** Words of the turn. */
  readonly evidence: readonly string[]
  readonly by: string
}

/** The decisions of a turn, as the assistant tells them at its end. */
export function decisionsIn(why: unknown): readonly LayerDecision[] {
  if (!Array.isArray(why)) return []
  return why.filter(isObject).flatMap((one) => {
    const layer = LAYERS.find((name) => name === one['layer'])
    if (layer === undefined) return []
    const { evidence } = one
    return [
      {
        layer,
        decided: textOf(one, 'decided') ?? '',
        because: textOf(one, 'because') ?? '',
        evidence: Array.isArray(evidence)
          ? evidence.filter((word) => typeof word === 'string')
          : [],
        by: textOf(one, 'by') ?? 'rules',
      },
    ]
  })
}
