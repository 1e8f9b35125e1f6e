import type { AgentDefinition } from '../../src/core/agent.ts'
import type { Entry, Journal } from '../../src/core/journal.ts'
import type { Observation } from '../../src/core/observation.ts'
import { type AssistantContent, type Message, Thread, userMessage } from '../../src/core/thread.ts'
import { defineTool, type ToolCall, type ToolOutcome } from '../../src/core/tool.ts'
import { systemClock } from '../../src/host/clock.ts'
import { systemIds } from '../../src/host/ids.ts'
import { compose } from '../../src/middleware/compose.ts'
import { startRun } from '../../src/runtime/run.ts'
import type { Services } from '../../src/runtime/services.ts'
import { ToolRegistry } from '../../src/runtime/tool-registry.ts'
import type { EchelonContestant, Runner, Setup } from './contestant.ts'

/** Echelon as it is used: journal in memory, the machine's clock and ids, events unobserved. */
export const echelon: EchelonContestant = {
  name: 'echelon',
  prepare: ({ layers = [], ...setup }) => {
    const services = servicesOf(setup, new RecentEntries())
    return runnerOf(
      setup,
      layers.length === 0 ? services : { ...services, pipeline: compose(layers) },
    )
  },
  async journalBytes(setup) {
    const journal = new AllEntries()
    await runnerOf(setup, servicesOf(setup, journal)).run('go')
    return JSON.stringify(journal.kept).length
  },
}

function runnerOf({ tool, history = [] }: Setup, services: Services): Runner {
  const agent = chat(tool.name, Thread.of(history))
  return {
    run: async (text) => (await startRun(agent, text, services).result).result,
    async stream(text) {
      let deltas = 0
      for await (const event of startRun(agent, text, services)) {
        if (event.type === 'text-delta') deltas++
      }
      return deltas
    },
  }
}

const servicesOf = ({ model, tool }: Setup, journal: Journal): Services => ({
  models: { main: { id: 'benchmark/model', model, price: () => 0.00001 } },
  tools: new ToolRegistry([defineTool({ ...tool, timeoutMs: 10_000 })]),
  artifacts: { write: () => Promise.reject(new Error('the benchmark keeps no files')) },
  clock: systemClock,
  ids: systemIds,
  timeZone: 'UTC',
  limits: {},
  journal,
})

/** A journal in memory that does not fill it: millions of runs go by. */
class RecentEntries implements Journal {
  readonly digests = false
  readonly #kept: Entry[] = []
  append(_runId: string, entries: readonly Entry[]): void {
    if (this.#kept.length > 1000) this.#kept.length = 0
    for (const entry of entries) this.#kept.push(entry)
  }
  read(): readonly Entry[] {
    return this.#kept
  }
}

class AllEntries implements Journal {
  readonly kept: Entry[] = []
  append(_runId: string, entries: readonly Entry[]): void {
    this.kept.push(...entries)
  }
  read(): readonly Entry[] {
    return this.kept
  }
}

interface ChatState {
  readonly messages: Thread
  readonly pending: readonly ToolCall[]
  readonly done: string | undefined
}

/** The plain tool loop, as little as it can be. */
function chat(tool: string, history: Thread): AgentDefinition<string, ChatState, string> {
  const tools = [tool]
  const stopped = (state: ChatState, done: string): ChatState => ({ ...state, pending: [], done })
  return {
    name: 'chat',
    version: 1,
    actors: { agent: { roles: ['main'], tools, speaks: true } },
    start: (input) => ({
      state: { messages: history.add(userMessage(input)), pending: [], done: undefined },
    }),
    next({ messages, pending, done }) {
      if (done !== undefined) return { type: 'finish', result: done, reason: 'stop' }
      if (pending.length === 0) {
        return { type: 'generate', actor: 'agent', role: 'main', messages, tools, show: 'user' }
      }
      return { type: 'call-tools', actor: 'agent', calls: pending, atOnce: pending.length }
    },
    observe: (state, seen) => ({ state: learned(state, seen) }),
    load: () => {
      throw new Error('the benchmark loads no state')
    },
  }

  function learned(state: ChatState, seen: Observation): ChatState {
    if (seen.type === 'generated') {
      const messages = state.messages.add(said(seen.text, seen.calls))
      const done = seen.calls.length === 0 ? seen.text : undefined
      return { messages, pending: seen.calls, done }
    }
    if (seen.type !== 'tools-called') return stopped(state, JSON.stringify(seen))
    const messages = state.messages.add(told(state.pending, seen.outcomes))
    return { messages, pending: [], done: undefined }
  }
}

function said(text: string, calls: readonly ToolCall[]): Message {
  const content: AssistantContent = text === '' ? [] : [{ type: 'text', text }]
  for (const { id, tool, input } of calls) {
    content.push({ type: 'tool-call', toolCallId: id, toolName: tool, input })
  }
  return { role: 'assistant', content }
}

const told = (calls: readonly ToolCall[], outcomes: readonly ToolOutcome[]): Message => ({
  role: 'tool',
  content: calls.map(({ id, tool }, index) => {
    const outcome = outcomes[index]
    if (outcome?.type !== 'ok') throw new Error(`the tool failed: ${JSON.stringify(outcome)}`)
    const value = typeof outcome.value === 'number' ? outcome.value : 0
    return {
      type: 'tool-result',
      toolCallId: id,
      toolName: tool,
      output: { type: 'json', value },
    }
  }),
})
