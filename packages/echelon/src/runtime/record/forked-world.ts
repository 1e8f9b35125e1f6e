import type { AgentDefinition } from '../../core/agent/agent.ts'
import { type ForkRecord, ForkTools } from '../../core/journal/forked-tools.ts'
import type { Entry, ForkedFrom } from '../../core/journal/journal.ts'
import type { Json } from '../../core/value/json.ts'
import type { Thread } from '../../core/message/thread.ts'
import type { CallOnRecord } from '../../core/tool/tool-end.ts'
import { callsOf, forkRecord } from './fork-record.ts'
import type { Services } from '../services.ts'
import { ToolRegistry } from '../tools/tool-registry.ts'

/**
 * What a fork touches: tools that act, and memories, answer from the record of the run that it was
 * forked from, each call on record once, or not at all, unless they are named. It is so in every
 * process that takes the fork up.
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
   * Must be awaited before the fork does anything.
   * @param entries of the fork as far as it is on record
   * @param original of the run that it was forked from; without it all that acts is denied
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

/** What is on record of a fork, and of the run that it was forked from. */
export interface ForkedEntries {
  readonly entries: readonly Entry[]
  readonly original: readonly Entry[]
  /** What was said before the run began. */
  readonly history: Thread
}

interface Growing extends ForkRecord {
  readonly names: string[]
  readonly done: CallOnRecord[]
  readonly later: CallOnRecord[]
  readonly memory: { readonly before: CallOnRecord[]; readonly later: CallOnRecord[] }
}
