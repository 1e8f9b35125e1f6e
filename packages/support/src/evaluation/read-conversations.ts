import type { z as Zod } from 'zod'
import { EchelonError } from 'echelon/internal/value'
import { parseYaml } from 'echelon/internal/yaml'
import { waysToMatch } from 'echelon/internal/schema'
import type {
  Conversation,
  ConversationSet,
  ConversationTurn,
  ExpectedCall,
  TextPattern,
  TurnMove,
} from './conversation-set.ts'

const MOST_CHARACTERS = 4_000_000
const MOST_PROBLEMS = 10
/** An expression that can match in more ways could take forever on an answer. */
const MOST_WAYS = 1_000_000
const MOST_ANSWER = 4_000

/**
 * Reads a YAML file of conversations, as `datasets/support.yaml` shows them.
 * @param name the file's name in messages
 * @throws EchelonError INVALID_INPUT with one line per mistake
 */
export async function parseConversations(text: string, name: string): Promise<ConversationSet> {
  if (text.length > MOST_CHARACTERS) throw wrong([`${name} is too long for a set of conversations`])
  const [yaml, { z }] = await Promise.all([import('yaml'), import('zod')])
  const parsed = parseYaml(yaml, text, { keys: 'string' })
  if (parsed === undefined) throw wrong([`${name} is nested too deeply`])
  const { document, lines } = parsed
  const slips = document.errors.map(
    ({ pos, message }) => `${name}:${lines.linePos(pos[0]).line}: ${message}`,
  )
  if (slips.length > 0) throw wrong(slips)
  const read = setSchema(z).safeParse(document.toJS({ maxAliasCount: 1_000 }))
  if (!read.success) {
    throw wrong(
      read.error.issues.map(({ path, message }) => `${name}: ${path.join('.')}: ${message}`),
    )
  }
  return setOf(read.data, name)
}

const wrong = (problems: readonly string[]): EchelonError =>
  new EchelonError('INVALID_INPUT', problems.slice(0, MOST_PROBLEMS).join('\n'))

type SetFile = Zod.infer<ReturnType<typeof setSchema>>
type ConversationEntry = SetFile['conversations'][number]
type TurnEntry = ConversationEntry['turns'][number]

function setSchema(z: typeof Zod) {
  const text = z.string().trim().min(1).max(10_000)
  const call = z.strictObject({
    tool: text,
    params: z.record(z.string(), z.json()).default({}),
  })
  const turn = z
    .strictObject({
      user: text.optional(),
      approve: text.optional(),
      decline: text.optional(),
      hand_back: text.optional(),
      says: z.array(text).default([]),
      never_says: z.array(text).default([]),
      asks: z.union([z.boolean(), text]).nullable().default(null),
      commands: z.array(text).nullable().default(null),
      tools: z.array(call).nullable().default(null),
    })
    .refine(
      ({ user, approve, decline, hand_back: back }) =>
        [user, approve, decline, back].filter((one) => one !== undefined).length === 1,
      'a turn has one of user, approve, decline and hand_back',
    )
  const conversation = z
    .strictObject({
      id: z.string().regex(/^[\w.-]{1,100}$/, 'write an id of letters, digits, - and _'),
      customer: text.nullable().optional(),
      channel: text.default('chat'),
      turns: z.array(turn).max(100).default([]),
      goal: text.optional(),
      acts: z.array(call).default([]),
      orders: z.record(z.string(), z.record(z.string(), z.json())).default({}),
    })
    .refine(
      ({ turns, goal }) => turns.length > 0 !== (goal !== undefined),
      'a conversation has turns, or the goal of a simulated customer',
    )
  return z.strictObject({
    today: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}$/, 'write a day such as 2025-10-18')
      .optional(),
    customer: text.nullable().default(null),
    conversations: z.array(conversation).min(1).max(10_000),
  })
}

function setOf({ today, customer, conversations }: SetFile, name: string): ConversationSet {
  const ids = conversations.map(({ id }) => id)
  const twice = ids.find((id, at) => ids.indexOf(id) < at)
  if (twice !== undefined) throw wrong([`${name}: ${twice} comes twice; give each its own id`])
  return {
    today: today ?? null,
    conversations: conversations.map((one) => conversationOf(one, customer, name)),
  }
}

const conversationOf = (
  { id, channel, turns, goal, acts, orders, ...own }: ConversationEntry,
  customer: string | null,
  name: string,
): Conversation => ({
  id,
  customer: own.customer === undefined ? customer : own.customer,
  channel,
  goal: goal ?? null,
  turns: turns.map((turn) => turnOf(turn, `${name}: ${id}`)),
  acts: acts.map(callOf),
  orders,
})

const turnOf = (entry: TurnEntry, where: string): ConversationTurn => ({
  move: moveOf(entry),
  says: entry.says.map((said) => patternOf(said, where)),
  neverSays: entry.never_says.map((said) => patternOf(said, where)),
  asks: entry.asks,
  commands: entry.commands,
  tools: entry.tools === null ? null : entry.tools.map(callOf),
})

const callOf = ({ tool, params }: NonNullable<TurnEntry['tools']>[number]): ExpectedCall => ({
  tool,
  params,
})

function moveOf({ user, approve, decline, hand_back: back }: TurnEntry): TurnMove {
  if (user !== undefined) return { type: 'user', text: user }
  if (approve !== undefined) return { type: 'approve', by: approve }
  return decline !== undefined
    ? { type: 'decline', by: decline }
    : { type: 'hand_back', by: back ?? '' }
}

/** `/…/` is a regular expression; anything else stands as it is. */
function patternOf(said: string, where: string): TextPattern {
  const [, expression] = /^\/(.+)\/$/.exec(said) ?? []
  if (expression === undefined) {
    const wanted = plain(said)
    return { said, matches: (text) => plain(text).includes(wanted) }
  }
  if (waysToMatch(expression, MOST_ANSWER) > MOST_WAYS) {
    throw wrong([`${where}: ${said} can match in too many ways; write it more plainly`])
  }
  const found = new RegExp(expression, 'iu')
  return { said, matches: (text) => found.test(plain(text).slice(0, MOST_ANSWER)) }
}

const plain = (text: string): string =>
  text
    .replaceAll(/[\u2018\u2019]/g, "'")
    .replaceAll(/\s+/g, ' ')
    .toLowerCase()
