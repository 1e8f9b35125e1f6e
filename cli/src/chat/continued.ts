import { EchelonError } from 'echelon/runtime'
import type { RunSummary } from '@echelon/store'
import { clean } from '../terminal/clean.ts'
import { STARTED_AS } from '../started-as.ts'
import type { OpenedStore } from '../store/keep-store.ts'
import { enterOrigin, type ChatOrigin, readOrigin } from '../store/run-origin.ts'
import type { AgentChoice } from './agent-choice.ts'
import { placesOf } from './conversations.ts'

/** A stored conversation, and its unfinished turn. */
export interface Continued {
  readonly session: string
  /** The options its agent was created with; undefined if none of its turns is stored. */
  readonly made: ChatOrigin | undefined
  /** The turn that has not ended, if there is one. */
  readonly unfinished: RunSummary | undefined
}

/** Name of the agent of a chat. */
export const CHAT = 'chat'

/** Statuses of a turn that has not ended. */
const OPEN = ['running', 'waiting', 'interrupted'] as const

/**
 * Finds a conversation by its id or the start of it, or the last one.
 * @throws EchelonError INVALID_INPUT if it does not exist, belongs to another program, or has a turn
 * that runs in another process
 */
export async function findContinued(store: OpenedStore, said: string | true): Promise<Continued> {
  const session = await idOf(store, said)
  const turns = await store.runs.list({ session })
  if (turns[0]?.status === 'damaged') {
    throw new EchelonError(
      'STORE_DAMAGED',
      `the last turn of the conversation ${clean(session)} is damaged (run ${clean(turns[0].id)}), so it cannot continue; restore a backup, or start another conversation`,
    )
  }
  const unfinished = turns.find(({ status }) => OPEN.some((one) => one === status))
  if (unfinished?.status === 'running') {
    throw usage(
      `a turn of this conversation is under way in another terminal (run ${clean(unfinished.id.slice(0, 8))}); end it there first`,
    )
  }
  const made = turns[0] && readOrigin(turns[0].made)
  if (made?.command === 'chat') return { session, made, unfinished }
  if (made === undefined && turns.length === 0) return { session, made, unfinished }
  throw usage(
    `${clean(session)} is a conversation with another program's agent; go on with it there`,
  )
}

/** Options of now override those that the conversation was begun with. */
export function choiceGoingOn<Given extends AgentChoice>(made: ChatOrigin, given: Given): Given {
  const { baseUrl: _, ...elsewhere } = made
  // The stored address belongs to the earlier model.
  const isOther = given.model !== undefined && given.model !== made.model
  const place = isOther && given.baseUrl !== undefined ? { baseUrl: given.baseUrl } : {}
  return {
    ...made.choice,
    model: made.model,
    ...enterOrigin(isOther ? { ...elsewhere, ...place } : made, given),
  }
}

async function idOf(store: OpenedStore, said: string | true): Promise<string> {
  const ids = (await placesOf(store, CHAT)).map(({ id }) => id)
  const found = said === true ? ids.slice(0, 1) : ids.filter((id) => id.startsWith(said))
  const exact = found.find((id) => id === said) ?? (found.length === 1 ? found[0] : undefined)
  if (exact !== undefined) return exact
  if (found.length === 0) await assertNoneDamaged(store)
  if (said === true) throw usage(`there is no conversation yet; begin one with ${STARTED_AS} chat`)
  if (found.length > 1) {
    throw usage(
      `${found.length} conversations begin with ${clean(said)}; write more of the id, as ${STARTED_AS} chat --list has it`,
    )
  }
  throw usage(
    `there is no conversation ${clean(said)}, as ${STARTED_AS} chat --list says; leave the id out for the last one, and put what you want to say behind --`,
  )
}

/** A damaged run may be a turn of the wanted conversation. */
async function assertNoneDamaged({ runs }: OpenedStore): Promise<void> {
  const [damaged] = await runs.list({ status: ['damaged'], limit: 1 })
  if (damaged === undefined) return
  throw new EchelonError(
    'STORE_DAMAGED',
    `no such conversation is found, and some runs are damaged; ${STARTED_AS} state doctor shows which; restore a backup to recover them`,
  )
}

const usage = (message: string): EchelonError => new EchelonError('INVALID_INPUT', message)
