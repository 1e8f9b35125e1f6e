import { EchelonError } from '../../../core/value/error.ts'
import { Thread } from '../../../core/message/thread.ts'
import type { AgentPlan, AgentStore } from '../agent-options.ts'
import { KeptConversation } from './kept-conversation.ts'
import { loadContinuation } from './load-state.ts'
import { checkMessages, isText } from '../input/message-check.ts'
import { otherAgent, Session } from './session.ts'

export interface OpenSessionOptions {
  /**
   * Whether nothing of it is to stay: it goes from the store, with its runs and what was cached for
   * it, when `end` is called, or when a process finds it abandoned. Default false; one that is
   * disposable stays so.
   */
  readonly disposable?: boolean
}

/** A conversation as the store has it, or a new one under that id. */
export async function openSession(
  store: AgentStore,
  id: string,
  agent: string,
  { disposable = false }: OpenSessionOptions = {},
): Promise<Session> {
  if (!isText(id)) {
    throw new EchelonError(
      'INVALID_INPUT',
      `the id of a session cannot be ${JSON.stringify(id)}; give the id as a text, as in openSession('ada')`,
    )
  }
  const { kept, stored } = await KeptConversation.load(store, id)
  if (stored !== undefined && stored.agent !== agent) throw otherAgent(id, stored.agent, agent)
  const isDisposable = disposable || stored?.isDisposable === true
  // Anew in each process: else it would count as abandoned when the first one is gone.
  if (isDisposable) await store.sessions.markDisposable(id)
  if (stored === undefined) return new Session(id, agent, { kept, isDisposable })
  return new Session(id, agent, {
    kept,
    isDisposable,
    thread: Thread.of(checkMessages(stored.messages)),
    states: stored.states,
    continues: loadContinuation(stored.continues),
  })
}

/**
 * The store that keeps an agent's conversations.
 * @throws EchelonError INVALID_CONFIG
 */
export function storeOf({ store, journal }: AgentPlan): AgentStore {
  if (store === undefined) {
    throw new EchelonError(
      'INVALID_CONFIG',
      'the agent has no store, so that no conversation of it outlives the process; give it one: store: openStore(path)',
    )
  }
  if (journal === undefined || journal === store.runs) return store
  throw new EchelonError(
    'INVALID_CONFIG',
    'a turn is kept together with its run, and the agent has another journal than that of its store; leave the journal out',
  )
}
