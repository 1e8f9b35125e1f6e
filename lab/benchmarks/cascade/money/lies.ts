import type { Usage } from '../../../../packages/echelon/src/core/model/model.ts'
import type { Chance } from './chance.ts'

/** Wrong reports of usage. */
export const LIES = [
  'usage too low',
  'usage too high',
  'usage absent',
  'usage 0',
  'usage negative',
  'usage NaN',
  'usage infinite',
  'usage a fraction',
] as const

export type Lie = (typeof LIES)[number]

/** The false usage that a model reports. */
export function lieOf(lie: Lie, { input, output }: Usage, chance: Chance): Usage | null {
  switch (lie) {
    case 'usage too low': {
      const share = chance.share() ** 2
      return {
        input: Math.max(1, Math.floor(input * share)),
        output: Math.max(1, Math.floor(output * share)),
      }
    }
    case 'usage too high': {
      const times = chance.pick([2, 10, 1000, 1e6])
      return { input: input * times, output: output * times }
    }
    case 'usage absent':
      return null
    case 'usage 0':
      return chance.pick([
        { input: 0, output: 0 },
        { input: 0, output },
      ])
    case 'usage negative':
      return { input: -input, output: -1000 * output }
    case 'usage NaN':
      return chance.pick([
        { input: Number.NaN, output },
        { input, output: Number.NaN },
      ])
    case 'usage infinite':
      return { input, output: Infinity }
    case 'usage a fraction':
      return { input: input + 0.5, output }
  }
}
