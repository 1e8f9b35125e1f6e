import { type AgentCapabilities, type AGUIEvent, EventType } from '@ag-ui/core'
import { isJson, systemClock } from 'echelon/runtime'
import type { ServedAgent } from '../agents/served-agent.ts'
import { problemOf } from '../http/problem.ts'
import { capabilitiesOf } from './capabilities.ts'
import { localTurns } from './local-turns.ts'
import { readRunInput } from './run-input.ts'
import { ThreadRuns } from './thread-runs.ts'

export interface AsAgUiOptions {
  /** The user that the agent works for. Default `local`. */
  readonly caller?: string
  /**
   * Whether the agent keeps the conversation of each thread in its own store. Default false: the messages that
   * the client sends are the conversation.
   */
  readonly sessions?: boolean
}

/** An agent in this process with the events of AG-UI. */
export interface AgUiAgent {
  readonly capabilities: AgentCapabilities
  /**
   * Runs it for a `RunAgentInput`, or continues a run that waits. The events are those of one AG-UI run. A
   * reader that stops cancels a run that works. Never throws: what fails is a `RUN_ERROR`.
   */
  run(input: unknown, options?: { readonly signal?: AbortSignal }): AsyncGenerator<AGUIEvent, void>
}

/** Presents an agent with AG-UI, in this process and without a server. */
export function asAgUi(
  agent: ServedAgent,
  { caller = 'local', sessions = false }: AsAgUiOptions = {},
): AgUiAgent {
  const turns = localTurns(agent, { caller, sessions })
  const threads = new ThreadRuns({ clock: systemClock, lingerMs: 0, onFault: () => undefined })
  return {
    capabilities: capabilitiesOf(agent),
    async *run(input, { signal = new AbortController().signal } = {}) {
      try {
        // As it is after a way over the wire, without keys that hold `undefined`.
        const sent: unknown = isJson(input) ? JSON.parse(JSON.stringify(input)) : input
        yield* await threads.open(readRunInput(sent), turns, signal)
      } catch (error) {
        const { code, message } = problemOf(error)
        yield { type: EventType.RUN_ERROR, code, message }
      }
    },
  }
}
