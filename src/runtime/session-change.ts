import type { AgentDefinition } from '../core/agent.ts'
import type { Json } from '../core/json.ts'
import type { SessionChange } from '../core/session-store.ts'
import { containerOf } from '../core/state-container.ts'
import type { Message, Thread } from '../core/thread.ts'
import type { Branch } from './branch.ts'

/** A turn of a conversation that is kept, at its end. */
export interface KeptTurn<State> {
  readonly id: string
  /** What was said before it. */
  readonly history: Thread
  /** How many messages are on record, of which some may have been undone. */
  readonly from: number
  readonly state: State
  readonly at: number
}

/** What the conversation keeps of a turn: what was said since, and what its middleware knows. */
export function sessionChange<State>(
  branch: Branch,
  definition: Pick<AgentDefinition<Json, State, unknown>, 'name' | 'transcript' | 'whereContinued'>,
  { id, history, from, state, at }: KeptTurn<State>,
): SessionChange {
  const said = definition.transcript?.(state) ?? history.toArray()
  const keep = sameBeginning(history, said)
  return {
    id,
    agent: definition.name,
    from,
    keep,
    messages: said.slice(keep),
    states: containerOf(branch.pipeline?.slots ?? [], branch.sessionStates(), 'session'),
    continues: definition.whereContinued?.(state) ?? null,
    at,
  }
}

/** How many messages of before stand there still: other instructions than those of then replace all. */
function sameBeginning(history: Thread, said: readonly Message[]): number {
  for (let index = 0; index < history.length; index++) {
    if (!isSame(history.at(index), said[index])) return index
  }
  return history.length
}

/** A state that was loaded holds messages of its own. */
const isSame = (before: Message | undefined, now: Message | undefined): boolean =>
  before === now || JSON.stringify(before) === JSON.stringify(now)
