import {
  type Agent,
  createAgent,
  defineTool,
  type Session,
} from '../../../packages/echelon/src/chat.ts'
import type { Entry, Journal } from '../../../packages/echelon/src/core/journal/journal.ts'
import type { Middleware } from '../../../packages/echelon/src/core/extension/defined-middleware.ts'
import type { EchelonContestant, Runner, Setup } from './contestant.ts'

/** Echelon as it is used: journal in memory, the machine's clock and ids, events unobserved. */
export const echelon: EchelonContestant = {
  name: 'echelon',
  prepare(setup) {
    const { middlewares = [], tracing } = setup
    const options = optionsOf(setup, new RecentEntries(), middlewares)
    return runnerOf(setup, createAgent({ ...options, ...(tracing && { tracing }) }))
  },
  async journalBytes(setup) {
    const journal = new AllEntries()
    await agentOf(setup, journal).run('go').result
    return JSON.stringify(journal.kept).length
  },
  agents(setup) {
    const options = optionsOf(setup, new RecentEntries())
    return () => createAgent(options)
  },
  sessions(setup) {
    const agent = agentOf(setup, new RecentEntries())
    return async () => {
      const session = agent.session()
      await agent.run('go', { session }).result
      return session
    }
  },
  switching(setup) {
    const agent = agentOf(setup, new RecentEntries())
    let switches = 0
    return () =>
      agent.switchProvider(
        switches++ % 2 === 0
          ? { provider: 'openai', model: 'gpt-5-nano', apiKey: KEY }
          : { provider: 'anthropic', model: 'claude-sonnet-4-5', apiKey: KEY },
      )
  },
}

/** As long as a real key, since the redactor searches for it. */
const KEY = 'not-a-key-'.repeat(5)

const agentOf = (...given: Parameters<typeof optionsOf>): Agent => createAgent(optionsOf(...given))

function optionsOf({ model, tool }: Setup, journal: Journal, use: readonly Middleware[] = []) {
  const bound = { id: 'benchmark/model', model, price: () => 0.00001 }
  const { name, description, input, run } = tool
  const tools = [defineTool({ name, description, input, run })]
  return { model: bound, tools, maxIterations: 1000, journal, use }
}

function runnerOf({ history, given }: Setup, agent: Agent): Runner {
  const session = history === undefined ? undefined : restored(agent, history)
  const begin = (text: string) =>
    session === undefined ? agent.run(given?.next() ?? text) : agent.run(text, { session })
  return {
    async run(text) {
      const { text: answer } = await begin(text).result
      // The next turn starts with the same conversation.
      session?.undo()
      return answer
    },
    async stream(text) {
      let deltas = 0
      for await (const event of begin(text)) if (event.type === 'text-delta') deltas++
      return deltas
    },
  }
}

const restored = (agent: Agent, messages: NonNullable<Setup['history']>): Session =>
  agent.restoreSession({ ...agent.session().checkpoint(), messages })

/** A journal in memory that keeps only recent entries, since there are millions of runs. */
class RecentEntries implements Journal {
  readonly digests = false
  readonly #kept: Entry[] = []
  append(_runId: string, entries: readonly Entry[]): void {
    if (this.#kept.length > 8) this.#kept.length = 0
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
