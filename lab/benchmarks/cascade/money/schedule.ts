import type { Amounts } from '../../../../packages/echelon/src/core/agent/budget.ts'
import { Chance } from './chance.ts'
import { CHAT_ROLE, chatRun } from './chat-run.ts'
import { DECIDE_ROLES, decideRun } from './decide-run.ts'
import { STEP_ROLES, stepsRun } from './steps-run.ts'
import { type World, worldOf } from './world.ts'

/** The result of a schedule. */
export interface Ran {
  readonly shape: Shape['name']
  /** Amounts beyond a limit or missing from the accounts; normally empty. */
  readonly violations: readonly string[]
  readonly limits: Amounts
  readonly spent: Amounts
  readonly attempts: number
  readonly repeated: number
  readonly mostAtOnce: number
  readonly isTrulyOver: boolean
  readonly faults: ReadonlyMap<string, number>
}

interface Shape {
  readonly name: 'bare runtime' | 'chat agent' | 'decision agent'
  readonly roles: readonly string[]
  /** Number of ten schedules that have it. */
  readonly of10: number
  readonly run: (world: World) => Promise<Amounts>
}

const SHAPES: readonly [Shape, ...Shape[]] = [
  { name: 'bare runtime', roles: STEP_ROLES, of10: 5, run: stepsRun },
  { name: 'chat agent', roles: [CHAT_ROLE], of10: 4, run: chatRun },
  { name: 'decision agent', roles: DECIDE_ROLES, of10: 1, run: decideRun },
]

const BY_TENTH: readonly [Shape, ...Shape[]] = [
  SHAPES[0],
  ...SHAPES.flatMap((shape) => Array<Shape>(shape.of10).fill(shape)).slice(1),
]

/**
 * Runs one schedule of faults: models and tools that fail as the seed says, under limits that the seed draws, on
 * the real runtime with a set clock. The same seed and number give the same schedule.
 */
export async function runSchedule(seed: number, nth: number): Promise<Ran> {
  const chance = new Chance(Math.imul(seed, 2_654_435_761) + nth)
  const { name, roles, run } = chance.pick(BY_TENTH)
  const world = worldOf(chance, roles)
  const spent = await run(world)
  const { wire, limits, faults } = world
  return {
    shape: name,
    violations: wire.close(spent),
    limits,
    spent,
    attempts: wire.attempts,
    repeated: wire.repeated,
    mostAtOnce: wire.mostAtOnce,
    isTrulyOver: wire.isTrulyOver,
    faults: faults.counts,
  }
}
