import { EchelonError, type Message } from 'echelon/runtime'
import type { RunSummary } from '@echelon/store'
import pc from 'picocolors'
import { clean, cut } from '../terminal/clean.ts'
import { columnsOf } from '../markdown/wrap.ts'
import { inputOf } from '../replay/picture.ts'
import { lasting } from '../runs/words.ts'
import { STARTED_AS } from '../started-as.ts'
import type { OpenedStore } from '../store/keep-store.ts'
import { wordsOf } from './said.ts'
import { counted } from '../terminal/counted.ts'

/** A stored conversation. */
export interface Conversation {
  readonly id: string
  /** Time of the last turn, in milliseconds since the epoch. */
  readonly changedAt: number
  /** Number of messages of the user that were answered. */
  readonly turns: number
  /** The first message. */
  readonly begins: string
  /** Whether its stored data is damaged. */
  readonly isDamaged?: true
}

/** Older conversations can be continued by id. */
const MOST_LISTED = 100

type Place = Pick<Conversation, 'id' | 'changedAt'> & { readonly run?: RunSummary }

/** Statuses of a turn that can be resumed, or is damaged. */
const NOT_ENDED = ['running', 'waiting', 'interrupted', 'damaged'] as const

/**
 * Lists an agent's conversations, the latest first, including one whose first turn has not ended.
 * A conversation with only failed turns is left out, since it has nothing to continue.
 */
export async function placesOf(
  { sessions, runs }: Pick<OpenedStore, 'sessions' | 'runs'>,
  agent: string,
): Promise<readonly Place[]> {
  const begun = (await runs.list({ status: NOT_ENDED })).filter((run) => run.agent === agent)
  const kept = (await sessions.list()).filter(
    (one) => one.isDamaged === true || (one.agent === agent && !one.isDisposable && one.length > 0),
  )
  const all = [
    ...begun.flatMap((run) =>
      run.session === null ? [] : [{ id: run.session, changedAt: run.changedAt, run }],
    ),
    ...kept.map(({ id, changedAt }) => ({ id, changedAt })),
  ].toSorted((one, other) => other.changedAt - one.changedAt)
  return all.filter(({ id }, at) => all.findIndex((one) => one.id === id) === at)
}

/** An agent's conversations with their first messages, the latest first. */
export async function conversationsOf(
  store: Pick<OpenedStore, 'sessions' | 'runs'>,
  agent: string,
): Promise<readonly Conversation[]> {
  const places = (await placesOf(store, agent)).slice(0, MOST_LISTED)
  const found: Conversation[] = []
  for (const { id, changedAt, run } of places) {
    const messages = await messagesOf(store.sessions, id)
    if (messages === undefined) {
      found.push({ id, changedAt, turns: 0, begins: '(damaged)', isDamaged: true })
      continue
    }
    const said = messages.flatMap((one) => (one.role === 'user' ? [wordsOf(one)] : []))
    const begins = said[0] ?? (run === undefined ? '' : inputOf(run.input))
    found.push({ id, changedAt, turns: said.length, begins })
  }
  return found
}

/** @returns undefined for a damaged conversation, so that the others are still listed */
async function messagesOf(
  sessions: OpenedStore['sessions'],
  id: string,
): Promise<readonly Message[] | undefined> {
  try {
    return (await sessions.load(id))?.messages ?? []
  } catch (error) {
    if (error instanceof EchelonError && error.code === 'STORE_DAMAGED') return undefined
    throw error
  }
}

interface Listing {
  /** The current conversation. */
  readonly here?: string | undefined
  readonly columns: number
  readonly now?: number
}

/** Lists conversations for a person, one per line, with the command that continues one. */
export function describeConversations(
  all: readonly Conversation[],
  { here, columns, now = Date.now() }: Listing,
): string {
  if (all.length === 0) {
    return `There are no conversations yet; ${STARTED_AS} chat begins one.`
  }
  const rows = all.map(({ id, changedAt, turns, begins }) => ({
    id: clean(beginningOf(id, all)),
    age: lasting(now - changedAt),
    turns: counted(turns, 'turn'),
    words: `${id === here ? '(this one) ' : ''}${clean(begins)}`,
  }))
  const widest = (cell: (row: (typeof rows)[number]) => string): number =>
    Math.max(...rows.map((row) => columnsOf(cell(row))))
  const [id, age, turns] = [
    widest((row) => row.id),
    widest((row) => row.age),
    widest((row) => row.turns),
  ]
  const lines = rows.map((row) => {
    const head = [row.id.padEnd(id), row.age.padStart(age), row.turns.padStart(turns)].join('  ')
    return `${head}  ${cut(row.words, Math.max(12, columns - head.length - 2))}`
  })
  const how = `${STARTED_AS} chat --continue ${clean(beginningOf(all[0]?.id ?? '', all))} goes on with the first`
  return [...lines, pc.dim(how)].join('\n')
}

const SHORT = 8

/** The shortest start of an id that is unique. */
function beginningOf(id: string, all: readonly Conversation[]): string {
  for (let length = SHORT; length < id.length; length += 4) {
    const begins = id.slice(0, length)
    if (!all.some((other) => other.id !== id && other.id.startsWith(begins))) return begins
  }
  return id
}
