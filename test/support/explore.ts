import type { Message } from '../../packages/support/src/message.ts'
import type { StepStatus } from '../../packages/support/src/turn/planning/plan-execution.ts'
import { supportAgent } from '../../packages/support/src/turn/support-definition.ts'
import type { SupportInput } from '../../packages/support/src/turn/support-input.ts'
import type { SupportSettings } from '../../packages/support/src/turn/support-settings.ts'
import type { Amounts } from '../../packages/echelon/src/core/agent/budget.ts'
import type { Json } from '../../packages/echelon/src/core/value/json.ts'
import { type Exploration, explore } from '../../packages/echelon/src/testing/explore.ts'
import { RULES, statusesOf } from './rules.ts'
import { type SupportAgent, witnessed, type Witnessed } from './witness.ts'
import { observationsIn } from './world.ts'

interface Wanted {
  readonly inputs: readonly SupportInput[]
  readonly limits?: Amounts
  /** Default the real one. */
  readonly agent?: SupportAgent
  readonly purity?: boolean
  readonly heard?: readonly string[]
  readonly loads?: boolean
  /** The open states of the conversation to try; default all. */
  readonly standings?: Readonly<Record<string, Json>>
}

interface Explored {
  readonly found: Exploration
  /** Statuses that occurred in some step. */
  readonly statuses: ReadonlySet<StepStatus>
}

/** Follows every turn of an agent with these settings, with a witness beside it. */
export function exploreSupport(
  settings: SupportSettings,
  { agent = supportAgent(settings), standings, ...more }: Wanted,
): Explored {
  const statuses = new Set<StepStatus>()
  const found = explore(witnessed(agent), {
    observations: observationsIn(standings),
    invariants: RULES,
    keyOf,
    watch: (step) => {
      for (const status of statusesOf(step)) statuses.add(status)
    },
    maxStates: 300_000,
    ...more,
  })
  return { found, statuses }
}

/** The history is one of a few, identified by its name. */
const names = new Map<string, number>()
const known = new WeakMap<readonly Message[], number>()

function nameOf(history: readonly Message[]): number {
  const before = known.get(history)
  if (before !== undefined) return before
  const text = JSON.stringify(history)
  const name = names.get(text) ?? names.size
  names.set(text, name)
  known.set(history, name)
  return name
}

function keyOf({ inner, testimony }: Witnessed, spent: Amounts): Json {
  const { history, ...rest } = inner
  const { before, ...own } = testimony
  return [nameOf(history), before === null, JSON.stringify([rest, own]), { ...spent }]
}
