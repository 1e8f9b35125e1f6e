import type { AgentDefinition } from '../../core/agent/agent.ts'
import { type ForkRecord, ForkTools } from '../../core/journal/forked-tools.ts'
import type { Entry, ForkedFrom } from '../../core/journal/journal.ts'
import type { Json } from '../../core/value/json.ts'
import type { Thread } from '../../core/message/thread.ts'
import type { CallOnRecord } from '../../core/tool/tool-end.ts'
import { callsOf, forkRecord } from './journal-fork.ts'
import type { Services } from '../services.ts'
import { ToolRegistry } from '../tools/tool-registry.ts'

/**
 * The services of a fork. Acting tools and memories that are not named answer from the journal of the
 * original run, each recorded call once, or are denied. This holds in every process that resumes it.
 */
export class ForkedWorld {
  readonly services: Services
  readonly #from: ForkedFrom
  readonly #tools: ForkTools
  readonly #record: Growing = {
    names: [],
    done: [],
    later: [],
    memory: { before: [], later: [] },
  }

  constructor(services: Services, from: ForkedFrom) {
    const { act = [], memories = [] } = from
    this.#from = from
    this.#tools = new ForkTools(this.#record, { act, memories })
    const { tools, memory } = services
    this.services = {
      ...services,
      tools: new ToolRegistry(tools.list().map((tool) => this.#tools.tool(tool))),
      ...(memory && { memory: this.#tools.memory(memory) }),
    }
  }

  /**
   * Loads the recorded calls. Must be awaited before the fork performs any effect.
   * @param entries recorded entries of the fork
   * @param original entries of the original run; without them all acting calls are denied
   */
  load<State, Result>(
    definition: AgentDefinition<Json, State, Result>,
    { entries, original, history }: ForkedEntries,
  ): void {
    const { at } = this.#from
    if (original.length > 0) {
      const { names, done, later, memory } = forkRecord(callsOf(definition, original, history), at)
      this.#record.names.push(...names)
      this.#record.done.push(...done)
      this.#record.later.push(...later)
      this.#record.memory.before.push(...memory.before)
      this.#record.memory.later.push(...memory.later)
    }
    const own = callsOf(definition, entries, history).tools
    this.#tools.made(own.filter(({ seq }) => seq >= at).map(({ call }) => call))
  }

  /** @throws EchelonError INVALID_INPUT for a name in `act` that no tool has */
  checkAct(): void {
    this.#tools.checkAct()
  }
}

/** Recorded entries of a fork and of its original run. */
export interface ForkedEntries {
  readonly entries: readonly Entry[]
  readonly original: readonly Entry[]
  /** Messages of the session before the run. */
  readonly history: Thread
}

interface Growing extends ForkRecord {
  readonly names: string[]
  readonly done: CallOnRecord[]
  readonly later: CallOnRecord[]
  readonly memory: { readonly before: CallOnRecord[]; readonly later: CallOnRecord[] }
}
