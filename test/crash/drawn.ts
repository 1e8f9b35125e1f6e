import type { Amounts } from '../../packages/echelon/src/core/agent/budget.ts'
import { seededRandom } from '../../packages/echelon/src/core/value/random.ts'
import type { Kill } from './death.ts'

/** A run as determined by a seed. */
export interface Drawn {
  readonly run: string
  readonly scenario: string
  /** The failing parts of its world. */
  readonly faults: number
  readonly limits: Amounts
}

/** Worlds with different failing parts; 0 has none. */
export const WORLDS = 30

/** The decision agent loads real tools in each process, so a few suffice. */
const SCENARIOS = [
  ...Array<string>(9).fill('chat'),
  ...Array<string>(9).fill('journey'),
  'discount',
  'support',
  'support',
]

/** Whether something happens, determined by a seed in every process. */
const randomFor = (seed: number, what: number): (() => number) =>
  seededRandom(Math.imul(seed, 2_654_435_761) + what)

const pick = <Item>(random: () => number, items: readonly [Item, ...Item[]]): Item =>
  items[Math.floor(random() * items.length)] ?? items[0]

export function drawRun(seed: number, nth: number): Drawn {
  const random = randomFor(seed, nth)
  const scenario = SCENARIOS[Math.floor(random() * SCENARIOS.length)] ?? 'chat'
  const isWhole = scenario === 'discount' || scenario === 'support'
  const faults = isWhole ? 0 : Math.floor(random() * WORLDS)
  const isLimited = !isWhole && random() < 0.4
  const calls = scenario === 'chat' ? 'calls' : 'calls.small'
  const limits = pick<Amounts>(random, [
    { [calls]: 1 + Math.floor(random() * 7) },
    { tools: Math.floor(random() * 12) },
    { tokens: 100 + Math.floor(random() * 5000) },
    { money: random() * 3 },
  ])
  return { run: `${nth}-${scenario}`, scenario, faults, limits: isLimited ? limits : {} }
}

/** Where the nth process dies; mostly soon, and sometimes not at all. */
export function drawKill(seed: number, nth: number): Kill {
  const random = randomFor(seed, -1 - nth)
  const at = Math.floor(random() * 70)
  if (random() < 0.3) return { at: 'action', nth: Math.floor(at / 3) }
  return { at: 'append', nth: at, isWritten: random() < 0.5 }
}
