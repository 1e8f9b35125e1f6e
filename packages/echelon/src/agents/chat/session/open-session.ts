import { EchelonError } from '../../../core/value/error.ts'
import { Thread } from '../../../core/message/thread.ts'
import type { AgentPlan, AgentStore } from '../agent-options.ts'
import { KeptConversation } from './kept-conversation.ts'
import { loadContinuation } from './load-state.ts'
import { checkMessages, isText } from '../input/message-check.ts'
import { otherAgent, Session } from './session.ts'

export interface OpenSessionOptions {
  /**
   * Whether to keep nothing of it: it is deleted from the store, with its runs and cached answers, when
   * `end` is called or when a process finds it abandoned. Default false; a disposable session stays
   * disposable.
   */
  readonly disposable?: boolean
}

/** Opens a stored conversation, or creates one under that id. */
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
  // In each process, or it would count as abandoned once the first one has exited.
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
 * Returns the store that keeps an agent's conversations.
 * @throws EchelonError INVALID_CONFIG
 */
export function storeOf({ store, journal }: AgentPlan): AgentStore {
  if (store === undefined) {
    throw new EchelonError(
      'INVALID_CONFIG',
      'the agent has no store to keep conversations in; give it one: store: openStore(path)',
    )
  }
  if (journal === undefined || journal === store.runs) return store
  throw new EchelonError(
    'INVALID_CONFIG',
    'a turn is stored together with its run, but the agent has a journal other than that of its store; leave the journal out',
  )
}
