import { isJsonObject, sameJson } from 'echelon/internal/value'
import type { JsonObject } from 'echelon/runtime'
import type { AgentResponse } from '../agent-response.ts'
import type { LLMProvider } from '../primitives/llm-provider.ts'
import type { ToolCall } from '../plan.ts'
import type { TelemetryEvent } from '../primitives/telemetry-sink.ts'
import type { SupportRouter } from '../router.ts'
import type {
  Conversation,
  ConversationSet,
  ConversationTurn,
  ExpectedCall,
  TurnMove,
} from './conversation-set.ts'
import { nextMessage } from './simulated-customer.ts'

/** A shop for one conversation: an agent of its own, over data of its own. */
export interface TriedShop {
  readonly agent: SupportRouter
  /** The calls made so far, with their parameters. */
  readonly calls: readonly MadeCall[]
  /** The telemetry so far. */
  readonly events: readonly TelemetryEvent[]
  readonly order: (id: string) => Promise<JsonObject | null>
}

export interface MadeCall extends ToolCall {
  readonly acts: boolean
  readonly success: boolean
}

/** What was written and answered in one turn. */
export interface TriedTurn {
  readonly move: TurnMove
  readonly text: string
}

/**
 * The verdict on one conversation. `wrong`: it acted otherwise than it should, or said what it must never say;
 * `weak`: something that it should have said, asked or done is missing.
 */
export interface ConversationVerdict {
  readonly id: string
  readonly verdict: 'right' | 'weak' | 'wrong'
  /** What was not as expected, in words. */
  readonly flaws: readonly string[]
  readonly turns: readonly TriedTurn[]
}

export interface TryOptions {
  /** Opens a fresh shop on the day of the set. */
  readonly open: (conversation: Conversation, today: string | null) => Promise<TriedShop>
  /** Runs of each conversation; default 1. */
  readonly repeat?: number
  /** Plays customers that have a goal. */
  readonly simulator?: LLMProvider
  readonly onDone?: (verdict: ConversationVerdict) => void
}

/** The verdicts of one conversation, in the order of its runs. */
export interface ConversationRuns {
  readonly id: string
  readonly runs: readonly ConversationVerdict[]
}

/** Tries each conversation of a set, in order, with a fresh shop each time. */
export async function runConversations(
  set: ConversationSet,
  { open, repeat = 1, simulator, onDone }: TryOptions,
): Promise<readonly ConversationRuns[]> {
  const all: ConversationRuns[] = []
  for (const conversation of set.conversations) {
    const runs: ConversationVerdict[] = []
    for (let run = 0; run < repeat; run++) {
      const shop = await open(conversation, set.today)
      const verdict = await tried(conversation, shop, simulator)
      runs.push(verdict)
      onDone?.(verdict)
    }
    all.push({ id: conversation.id, runs })
  }
  return all
}

/** The most messages of a simulated customer. */
const MOST_SIMULATED = 12
const SESSION = 'conversation'

async function tried(
  conversation: Conversation,
  shop: TriedShop,
  simulator: LLMProvider | undefined,
): Promise<ConversationVerdict> {
  const turns: TriedTurn[] = []
  const found: Flaws = { wrong: [], weak: [] }
  if (conversation.goal === null) {
    for (const [index, turn] of conversation.turns.entries()) {
      const [calls, events] = [shop.calls.length, shop.events.length]
      const response = await moved(conversation, shop, turn.move)
      const text = response?.text ?? ''
      turns.push({ move: turn.move, text })
      const seen = { response, calls: shop.calls.slice(calls), events: shop.events.slice(events) }
      judgeTurn(found, turn, seen, `turn ${index + 1}`)
    }
  } else if (simulator === undefined) {
    found.weak.push('it has a goal, and no model plays the customer; name one')
  } else {
    for (let sent = 0; sent < MOST_SIMULATED; sent++) {
      const text = await nextMessage(simulator, conversation.goal, turns)
      if (text === null) break
      const move: TurnMove = { type: 'user', text }
      turns.push({ move, text: (await moved(conversation, shop, move))?.text ?? '' })
    }
  }
  await judgeEnd(found, conversation, shop)
  const verdict = found.wrong.length > 0 ? 'wrong' : found.weak.length > 0 ? 'weak' : 'right'
  return { id: conversation.id, verdict, flaws: [...found.wrong, ...found.weak], turns }
}

async function moved(
  { customer, channel }: Conversation,
  { agent }: TriedShop,
  move: TurnMove,
): Promise<AgentResponse | null> {
  switch (move.type) {
    case 'user': {
      const { text } = move
      return agent.resolve({ text, customerId: customer, context: { channel } }, SESSION)
    }
    case 'approve':
    case 'decline':
      return agent.review(SESSION, { approved: move.type === 'approve', by: move.by })
    case 'hand_back':
      await agent.handBack(SESSION)
      return null
  }
}

interface Flaws {
  readonly wrong: string[]
  readonly weak: string[]
}

interface Seen {
  readonly response: AgentResponse | null
  readonly calls: readonly MadeCall[]
  readonly events: readonly TelemetryEvent[]
}

function judgeTurn(
  { wrong, weak }: Flaws,
  { says, neverSays, asks, commands, tools }: ConversationTurn,
  { response, calls, events }: Seen,
  where: string,
): void {
  const text = response?.text ?? ''
  for (const { said, matches } of neverSays) {
    if (matches(text)) wrong.push(`${where} says ${said}`)
  }
  for (const { said, matches } of says) {
    if (!matches(text)) weak.push(`${where} does not say ${said}`)
  }
  const { needsUserInput = false, missingParam = null } = response ?? {}
  const asked = typeof asks === 'string' ? missingParam : needsUserInput
  if (asks !== null && asked !== asks) weak.push(`${where} asks ${inWords(asked)}, not ${asks}`)
  if (tools !== null && !sameCalls(calls, tools)) {
    weak.push(`${where} calls ${namesOf(calls)}, not ${tools.map(({ tool }) => tool).join(', ')}`)
  }
  if (commands !== null) {
    const read = commandsIn(events)
    if (!sameJson([...read], [...commands])) {
      weak.push(`${where} is read as ${read.join(', ') || 'nothing'}, not ${commands.join(', ')}`)
    }
  }
}

const inWords = (value: string | boolean | null): string => String(value ?? 'nothing')

const commandsIn = (events: readonly TelemetryEvent[]): readonly string[] => {
  const read = events.findLast(({ stage }) => stage === 'intent_classified')?.payload['commands']
  return Array.isArray(read) ? read.filter((one) => typeof one === 'string') : []
}

/** Judges what was done, and what the data holds at the end. */
async function judgeEnd(
  { wrong, weak }: Flaws,
  { acts, orders }: Conversation,
  shop: TriedShop,
): Promise<void> {
  const made = shop.calls.filter(({ acts: isAct, success }) => isAct && success)
  for (const [at, call] of made.entries()) {
    const expected = acts[at]
    if (expected === undefined) wrong.push(`${inCall(call)} was not to be called`)
    else if (!isCall(call, expected)) wrong.push(`${inCall(call)} stands for ${expected.tool}`)
  }
  for (const { tool } of acts.slice(made.length)) weak.push(`${tool} was not called`)
  for (const [id, fields] of Object.entries(orders)) {
    const order = await shop.order(id)
    for (const [field, expected] of Object.entries(fields)) {
      const value = order?.[field] ?? null
      if (sameJson(value, expected)) continue
      const flaw = `${field} of ${id} is ${JSON.stringify(value)}, not ${JSON.stringify(expected)}`
      // What was not done is missing; anything else was changed by a call that is counted above.
      weak.push(flaw)
    }
  }
}

const sameCalls = (calls: readonly MadeCall[], expected: readonly ExpectedCall[]): boolean =>
  calls.length === expected.length &&
  calls.every((call, at) => {
    const wanted = expected[at]
    return wanted !== undefined && isCall(call, wanted)
  })

const isCall = (
  { toolName, params }: MadeCall,
  { tool, params: expected }: ExpectedCall,
): boolean =>
  toolName === tool &&
  isJsonObject(params) &&
  Object.entries(expected).every(([name, value]) => {
    const given = params[name]
    // An amount may be on its way as text.
    const isAmount = typeof value === 'number' && Number(given) === value
    return given !== undefined && (sameJson(given, value) || isAmount)
  })

const inCall = ({ toolName, params }: MadeCall): string => `${toolName} ${JSON.stringify(params)}`

const namesOf = (calls: readonly MadeCall[]): string =>
  calls.map(({ toolName }) => toolName).join(', ') || 'nothing'
