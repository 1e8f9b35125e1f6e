import type { Price } from '../../../../packages/echelon/src/core/model/model.ts'
import type { World } from './world.ts'

const PER_TOKEN = 1e-6
const UNKNOWN: readonly [Price, ...Price[]] = [() => null, () => Number.NaN, () => -1]

/** A price per token, free, rising with the length of the prompt, or not known. */
export function drawPrice({ chance, faults }: World): Price {
  const [input, output] = [chance.pick([0.1, 0.5, 3]), chance.pick([0.4, 2, 15])]
  const kind = chance.share()
  if (kind < 0.75) return (usage) => (usage.input * input + usage.output * output) * PER_TOKEN
  if (kind < 0.87) {
    return (usage) => {
      const times = usage.input > 300 ? 2 : 1
      return (usage.input * input + usage.output * output) * times * PER_TOKEN
    }
  }
  if (kind < 0.93) return () => 0
  faults.add('price unknown')
  return chance.pick(UNKNOWN)
}
