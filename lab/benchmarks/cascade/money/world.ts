import type { Amounts } from '../../../../packages/echelon/src/core/agent/budget.ts'
import type { Ids } from '../../../../packages/echelon/src/core/agent/ports.ts'
import type { JsonObject } from '../../../../packages/echelon/src/core/value/json.ts'
import { seededIds } from '../../../../packages/echelon/src/core/value/random.ts'
import { defineTool, type Tool } from '../../../../packages/echelon/src/core/tool/tool.ts'
import { SetClock } from '../../../../packages/echelon/src/testing/set-clock.ts'
import type { Chance } from './chance.ts'
import { Reservations } from './reservations.ts'
import { Wire } from './wire.ts'

/** Counts of faults by kind. */
export class Faults {
  readonly counts: Map<string, number> = new Map<string, number>()

  add(kind: string, count = 1): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + count)
  }
}

/** Everything that a run of a schedule touches. */
export interface World {
  readonly chance: Chance
  readonly clock: SetClock
  readonly ids: Ids
  readonly reservations: Reservations
  readonly limits: Amounts
  readonly wire: Wire
  readonly faults: Faults
}

/** @param roles whose calls may be limited */
export function worldOf(chance: Chance, roles: readonly string[]): World {
  const limits = drawLimits(chance, roles)
  const reservations = new Reservations()
  return {
    chance,
    clock: new SetClock(),
    ids: seededIds(1),
    reservations,
    limits,
    wire: new Wire(limits, reservations),
    faults: new Faults(),
  }
}

/** Limits of which most are reached: a few calls fit, and the last one may be cut short. */
function drawLimits(chance: Chance, roles: readonly string[]): Amounts {
  const limits: Record<string, number> = {}
  if (chance.happens(0.65)) limits['money'] = 10 ** (-4 + 2.5 * chance.share())
  if (chance.happens(0.4)) limits['tokens'] = chance.whole(200, 12_000)
  for (const role of roles) {
    if (chance.happens(0.3)) limits[`calls.${role}`] = chance.whole(0, 8)
  }
  if (chance.happens(0.2)) limits['tools'] = chance.whole(0, 6)
  if (chance.happens(0.1)) limits['seconds'] = chance.whole(1, 500) / 1000
  return limits
}

const WORDS = 'the quick brown fox jumps over the lazy dog while nine old men look on and say no '

/** Words of English, so many characters long. */
export const textOf = (characters: number): string =>
  WORDS.repeat(Math.ceil(characters / WORDS.length)).slice(0, characters)

/** A tool that fails and stalls as the seed says, and is tried again. */
export const flakyTool = ({ chance, clock, wire, faults }: World): Tool =>
  defineTool({
    name: 'look',
    description: 'looks something up',
    input: ANYTHING,
    retries: chance.whole(0, 2),
    async run() {
      wire.toolRuns++
      if (chance.happens(0.3)) {
        await new Promise<void>((resolve) => clock.after(chance.whole(1, 30), resolve))
      }
      if (chance.happens(0.3)) {
        faults.add('tool failed')
        throw new TypeError('fetch failed')
      }
      return textOf(chance.whole(1, 300))
    },
  })

const ANYTHING: JsonObject = { type: 'object', properties: { of: { type: 'string' } } }
