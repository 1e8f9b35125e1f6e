import { guardedSchema } from '../../core/schema/guarded-schema.ts'
import { isRecord, type Json } from '../../core/value/json.ts'
import { textPiece } from '../../core/message/text-piece.ts'
import type { Message } from '../../core/message/thread.ts'
import { defineTool, type Tool } from '../../core/tool/tool.ts'
import type { ToolOutcome } from '../../core/tool/tool-call.ts'
import { framed, originsIn } from '../../core/message/untrusted-text.ts'
import { saidIn } from './message-text.ts'

export const HISTORY_READ = 'history_read'

/** The turns to read: one by number, or those that contain some words. */
interface Asked {
  readonly turn?: number
  readonly from?: number
  readonly query?: string
}

const MOST_CHARACTERS = 8000
const MOST_FOUND = 10
const AROUND_CHARACTERS = 150

const isCount = (value: unknown, least: number): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= least

const isAsked = (value: unknown): value is Asked =>
  isRecord(value) &&
  (value['turn'] === undefined || isCount(value['turn'], 1)) &&
  (value['from'] === undefined || isCount(value['from'], 0)) &&
  (value['query'] === undefined ||
    (typeof value['query'] === 'string' && value['query'].trim() !== '')) &&
  (value['turn'] === undefined) !== (value['query'] === undefined)

/** Returns its input: the middleware that adds it has the conversation and answers the call. */
export const historyReadTool = (): Tool =>
  defineTool({
    name: HISTORY_READ,
    description:
      'Reads what was said earlier in this conversation and is left out or shortened: one turn by its number, or the turns that hold the words of a query.',
    input: guardedSchema(
      {
        type: 'object',
        properties: {
          turn: { type: 'integer', minimum: 1, description: 'which turn, from 1' },
          from: { type: 'integer', minimum: 0, description: 'where in the turn to go on' },
          query: { type: 'string', description: 'words that are looked for, in place of a turn' },
        },
        additionalProperties: false,
      },
      isAsked,
      'expected an object with either a turn from 1 on or a query',
    ),
    run: ({ turn, from, query }) => ({
      ...(turn !== undefined && { turn }),
      ...(from !== undefined && { from }),
      ...(query !== undefined && { query }),
    }),
  })

/**
 * Answers a permitted call.
 * @param originOf origins of untrusted tool results: before the first model call of a resumed turn
 * nothing is framed yet
 */
export function historyAnswer(
  messages: readonly Message[],
  asked: Json,
  originOf: (tool: string) => string | undefined = () => undefined,
): ToolOutcome {
  if (!isAsked(asked)) return wrong('history_read was asked for what it cannot give')
  const turns = turnsOf(messages, originOf)
  if (asked.query !== undefined) {
    return { type: 'ok', value: { turns: turns.length, found: [...found(turns, asked.query)] } }
  }
  const { turn = 1, from = 0 } = asked
  const said = turns[turn - 1]
  if (said === undefined) return wrong(`there are ${turns.length} turns; give one of them`)
  const { text } = said
  const piece = textPiece(text, { from, most: MOST_CHARACTERS }, said.origins)
  return { type: 'ok', value: { turn, turns: turns.length, ...piece } }
}

const wrong = (message: string): ToolOutcome => ({ type: 'error', code: 'INVALID_ARGS', message })

interface SaidTurn {
  readonly text: string
  /** The origins of the untrusted text in it. */
  readonly origins: readonly string[]
}

/** The turns as text, each from one user message to the next. */
function turnsOf(
  messages: readonly Message[],
  originOf: (tool: string) => string | undefined,
): readonly SaidTurn[] {
  const turns: Message[][] = []
  for (const message of messages) {
    if (message.role === 'system') continue
    const open = turns.at(-1)
    if (open === undefined || message.role === 'user') turns.push([message])
    else open.push(message)
  }
  return turns.map((said) => {
    const text = said.flatMap(linesOf).join('\n')
    const given = said.filter(({ role }) => role === 'tool').flatMap((each) => saidIn(each).data)
    const origins = given.flatMap(({ tool }) => originOf(tool) ?? [])
    return { text, origins: [...new Set([...originsIn(text), ...origins])] }
  })
}

/** Text that was read back is neither read again nor found by the words of its own query. */
function linesOf(message: Message): readonly string[] {
  const { who, text, data } = saidIn(message)
  const others = data.filter(({ tool }) => tool !== HISTORY_READ)
  if (text === '' && others.length === 0) return []
  const calls = others.map(({ tool, value }) => {
    const told = typeof value === 'string' ? value : JSON.stringify(value)
    return `${tool} ${who === 'tool' ? 'gave' : 'was called with'} ${told}`
  })
  return [[`${who}:`, text, ...calls].filter((part) => part !== '').join(' ')]
}

function* found(turns: readonly SaidTurn[], query: string): Generator<Json> {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  let left = MOST_FOUND
  for (const [index, turn] of turns.entries()) {
    const { text } = turn
    const folded = text.toLowerCase()
    if (!words.every((word) => folded.includes(word))) continue
    if (left-- === 0) return
    const at = Math.max(0, folded.indexOf(words[0] ?? '') - AROUND_CHARACTERS)
    const excerpt = text.slice(at, at + 2 * AROUND_CHARACTERS)
    yield { turn: index + 1, excerpt: labeled(excerpt, turn) }
  }
}

/** A piece of a turn with untrusted text may contain some of it. */
const labeled = (piece: string, { origins }: SaidTurn): string =>
  origins.length === 0 ? piece : framed(piece, origins.join(', '))
