import { parsePython } from '../python/json.ts'
import { str } from '../python/text.ts'
import { type Dict, isDict, type PyValue } from '../python/value.ts'
import type { NamedCall } from './tau-tool.ts'

/** Next action of the recorded agent: a call with its result, or a text for the customer. */
export type RecordedTurn = RecordedCall | { readonly text: string }

export interface RecordedCall {
  readonly call: NamedCall
  /** `undefined` where the record does not hold it. */
  readonly output: string | undefined
}

/** One message of the customer, and all that the agent did until its answer. */
export interface Exchange {
  readonly user: string
  readonly turns: readonly RecordedTurn[]
}

export interface RecordedRun {
  readonly id: string
  readonly exchanges: readonly Exchange[]
  /** The hash of the database at the end, where the record holds one. */
  readonly hash: string | undefined
  /** The actions that would have been right, and the hash that they lead to. */
  readonly gold: { readonly calls: readonly NamedCall[]; readonly hash: string | undefined }
  /** Whether the database ended as the right actions would leave it; undefined if the record does not say. */
  readonly endsAsGold: boolean | undefined
}

export const isCall = (turn: RecordedTurn): turn is RecordedCall => 'call' in turn

const MESSAGES = ['traj', 'messages', 'trajectory', 'conversation', 'history', 'turns']
const ACTIONS = ['actions', 'gold_actions', 'calls', 'tool_calls', 'steps']
const ARGUMENTS = ['arguments', 'kwargs', 'args', 'parameters', 'params', 'input']
const OUTPUT = ['output', 'result', 'observation', 'content', 'response']
const HASH = /hash|sha256/i
const GOLD_HASH = /gt|gold|ground/i
/** Hashes of something else, or of the database as it was before. */
const OTHER_HASH = /start|init|before|prompt|policy/i

/**
 * The runs of a file, one a line, or one JSON array. Messages as OpenAI has them, or a list of
 * actions; fields under any of several names.
 */
export function readRuns(text: string): readonly RecordedRun[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const rows = parsePython(text.trimStart().startsWith('[') ? text : `[${lines.join()}]`)
  return Array.isArray(rows) ? rows.filter(isDict).map(runOf) : []
}

function runOf(row: Dict, index: number): RecordedRun {
  const info = inner(row, 'info')
  const task = dictOr(first(info, ['task']), dictOr(first(row, ['task']), row))
  const reward = inner(inner(info, 'reward_info'), 'info')
  const messages = first(row, MESSAGES)
  const listed = callsOf(first(row, ACTIONS))
  const asGold = first(reward, ['r_actions']) ?? first(row, ['r_actions'])
  const hashes = [row, info, reward].flatMap(hashesIn)
  const goldHash = hashes.find(({ isGold }) => isGold)?.hash
  const ownHash = hashes.find(({ isGold }) => !isGold)?.hash
  const id = [first(row, ['task_id', 'id', 'task_index', 'index']) ?? BigInt(index)]
  const trial = first(row, ['trial'])
  return {
    id: [...id, ...(trial === undefined ? [] : [trial])].map(str).join('/'),
    exchanges: Array.isArray(messages) ? exchangesOf(messages) : exchangesOfActions(task, listed),
    // A list of actions is what the right ones are.
    hash: ownHash ?? (Array.isArray(messages) ? undefined : goldHash),
    gold: {
      calls: callsOf(first(task, ['gold_actions', 'actions']) ?? first(row, ACTIONS)).map(
        ({ call }) => call,
      ),
      hash: goldHash,
    },
    endsAsGold: asGold === undefined ? undefined : Number(asGold) === 1,
  }
}

/**
 * A list of actions has no customer: its instruction stands for what was said first. Each action is a
 * message of its own, so that a replay can be cut between any two.
 */
function exchangesOfActions(task: Dict, calls: readonly RecordedCall[]): readonly Exchange[] {
  const user = textOf(first(task, ['instruction', 'user', 'prompt'])) ?? 'Please do what is needed.'
  return calls.map((call, index) => ({ user: index === 0 ? user : 'Go on.', turns: [call] }))
}

function exchangesOf(messages: readonly PyValue[]): readonly Exchange[] {
  const exchanges: { user: string; turns: RecordedTurn[] }[] = []
  const unanswered: { output: string | undefined }[] = []
  for (const message of messages.filter(isDict)) {
    const role = first(message, ['role', 'from', 'speaker'])
    const content = textOf(first(message, ['content', 'text', 'value'])) ?? ''
    const current = exchanges.at(-1)
    if (role === 'user' || role === 'customer') exchanges.push({ user: content, turns: [] })
    else if (role === 'tool' || role === 'function') {
      // By position: real records have the same id of a call twice.
      const call = unanswered.shift()
      if (call !== undefined) call.output = content
    } else if (current !== undefined && role !== 'system') {
      const made = callsOf(first(message, ['tool_calls', 'function_call', 'tool_call']))
      unanswered.push(...made.filter(({ output }) => output === undefined))
      // A call that comes with text wins: the customer is not shown the text.
      if (made.length > 0) current.turns.push(...made)
      else current.turns.push({ text: content })
    }
  }
  return exchanges
}

/** Calls as `{function: {name, arguments}}` or plain, the arguments as JSON text or as they are. */
function callsOf(value: PyValue | undefined): { call: NamedCall; output: string | undefined }[] {
  const list = Array.isArray(value) ? value : [value ?? null]
  return list.filter(isDict).flatMap((item) => {
    const named = dictOr(first(item, ['function']), item)
    const name = textOf(first(named, ['name', 'tool', 'tool_name', 'action']))
    if (name === undefined || name === 'respond') return []
    const given = first(named, ARGUMENTS)
    const args = typeof given === 'string' ? parsePython(given) : given
    const output = first(item, OUTPUT)
    const call = { name, args: dictOr(args, new Map()) }
    return [{ call, output: output === undefined ? undefined : textOf(output) }]
  })
}

const inner = (dict: Dict, key: string): Dict => dictOr(dict.get(key), new Map())

const dictOr = (value: PyValue | undefined, other: Dict): Dict => (isDict(value) ? value : other)

function first(dict: Dict, names: readonly string[]): PyValue | undefined {
  return names.map((name) => dict.get(name)).find((value) => value !== undefined && value !== null)
}

/** The hashes of a database that a record holds: hexadecimal digits, or the first of them. */
function hashesIn(dict: Dict): readonly { readonly hash: string; readonly isGold: boolean }[] {
  return [...dict].flatMap(([key, value]) => {
    const hash = /^(?:sha256[:-])?([0-9a-f]{8,64})$/i.exec(textOf(value) ?? '')?.[1]
    if (hash === undefined || !HASH.test(key) || OTHER_HASH.test(key)) return []
    return [{ hash: hash.toLowerCase(), isGold: GOLD_HASH.test(key) }]
  })
}

const textOf = (value: PyValue | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined
