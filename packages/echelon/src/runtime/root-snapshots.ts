import type { AgentDefinition } from '../core/agent/agent.ts'
import type { Snapshot } from '../core/journal/snapshot.ts'
import { containerOf } from '../core/state/state-container.ts'
import type { Branch } from './branch.ts'
import type { SnapshotKeeper } from './tree.ts'

type Named = Pick<AgentDefinition<never, unknown, unknown>, 'name' | 'version'>

/**
 * Writes snapshots of the root run to the journal: when it waits and may be suspended, and after the
 * steps 1, 2, 4, 8 and so on, so that all snapshots of a run together take about twice the space of
 * the largest. A snapshot goes with the next append, which holds the entries that it was made of.
 */
export class RootSnapshots implements SnapshotKeeper {
  readonly #branch: Branch
  readonly #definition: Named
  #here: Snapshot | undefined
  /** Set after newer code migrated a state, so that the migration is not repeated. */
  #isDue: boolean

  constructor(branch: Branch, definition: Named, isDue: boolean) {
    this.#branch = branch
    this.#definition = definition
    this.#isDue = isDue
  }

  /** Called when a step begins. */
  reach({ state, seq }: { readonly state: unknown; readonly seq: number }): void {
    const { tree } = this.#branch
    const isDue = this.#isDue || isPowerOfTwo(seq)
    this.#isDue = false
    // Taken now, because states may change within the step before it waits.
    this.#here = isDue || tree.waits.maySuspend ? this.#snapshot(state, seq) : undefined
    if (isDue) this.keep()
  }

  /** Called before the step waits. */
  keep(): void {
    const snapshot = this.#here
    if (snapshot === undefined) return
    this.#here = undefined
    this.#branch.tree.journal.beside({ snapshot })
  }

  #snapshot(state: unknown, seq: number): Snapshot {
    const { tree, pipeline, bound, closedAt } = this.#branch
    const { name: agent, version } = this.#definition
    const slots = pipeline?.slots ?? []
    return {
      agent,
      version,
      seq,
      after: tree.journal.known,
      state,
      spent: tree.ledger.snapshot(),
      models: bound,
      ...(slots.length > 0 && { states: containerOf(slots, this.#branch.states()) }),
      at: closedAt ?? tree.clock.now(),
    }
  }
}

const isPowerOfTwo = (seq: number): boolean => seq > 0 && (seq & (seq - 1)) === 0
