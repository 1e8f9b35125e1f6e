import { createSupportAgent, JSONDataSource, MockSink, type TelemetryEvent } from '@echelon/support'
import { type DataRow, pick, readDataFile } from '../tools/data-file.ts'
import { absent, type Row } from '../tools/row.ts'

const SET = 'support_bitext.jsonl'

/** The customer who writes, and an order of theirs for the numbers in the texts. */
const CUSTOMER = 'C-001'
const ORDER = 'O-12347'

/** Intents that only tell customers of their own orders: no request is taken up by them. */
const OWN_DATA: ReadonlySet<string> = new Set([
  'my_orders',
  'tracking',
  'order_payment',
  'order_address',
  'order_items',
  'order_wishes',
  'invoice',
])

/** A customer's sentence and the intents that are right for it; `null` for none of them. */
interface Sentence {
  readonly text: string
  readonly accept: readonly (string | null)[]
}

/** The agent's immediate reading of a sentence. */
interface Taken {
  readonly intent: string | null
  readonly writes: number
}

/**
 * Measures on public customer-support sentences whether the agent, without a model, takes up the right intent, and
 * leaves alone what it has none for. Each sentence begins a conversation.
 * @throws EchelonError INVALID_INPUT for a file that cannot be used
 */
export async function bitextFigures(folder: string): Promise<readonly Row[]> {
  const data = await readDataFile(folder, SET)
  if (data === undefined) return [absent(SET)]
  const sentences = data.rows.flatMap(sentenceOf)
  if (sentences.length === 0) throw data.unusable('a text and the accepted intents')
  const start = performance.now()
  const take = await taker()
  const taken: (Sentence & Taken)[] = []
  for (const sentence of sentences) taken.push({ ...sentence, ...(await take(sentence.text)) })
  const seconds = (performance.now() - start) / 1000
  const known = taken.filter(({ accept }) => accept.some((one) => one !== null))
  const none = taken.filter(({ accept }) => accept.every((one) => one === null))
  const isRight = ({ accept, intent }: Sentence & Taken): boolean => accept.includes(intent)
  const row = (set: string, rows: typeof taken, right: number, note = ''): Row => ({
    set,
    rows: sentences.length,
    counted: rows.length,
    right,
    seconds,
    note,
  })
  const writes = taken.reduce((sum, one) => sum + one.writes, 0)
  return [
    row('bitext: known intents taken up', known, known.filter(isRight).length),
    row(
      'bitext: none of them, not acted on',
      none,
      none.filter(isRight).length,
      `${writes} writes at once`,
    ),
  ]
}

/** Reads one sentence as the first of a conversation. */
async function taker(): Promise<(text: string) => Promise<Taken>> {
  const events: TelemetryEvent[] = []
  const agent = await createSupportAgent({
    telemetry: new MockSink(events),
    dataSource: new JSONDataSource(),
  })
  let session = 0
  return async (text) => {
    events.length = 0
    await agent.resolve({ text, customerId: CUSTOMER }, `sentence-${session++}`)
    const read = events.find(({ stage }) => stage === 'intent_classified')?.payload
    const commands = read?.['commands']
    const starts =
      Array.isArray(commands) &&
      commands.some((one) => one === 'start-task' || one === 'ask-person')
    const intent = read?.['intent_id']
    const isActed = starts && typeof intent === 'string' && !OWN_DATA.has(intent)
    const writes = events.filter(({ stage, payload }) => {
      const { tool_name: tool, success } = payload
      return (
        stage === 'tool_execute' && typeof tool === 'string' && WRITES.has(tool) && success === true
      )
    })
    return { intent: isActed ? intent : null, writes: writes.length }
  }
}

const WRITES: ReadonlySet<string> = new Set([
  'issue_refund',
  'cancel_order',
  'change_address',
  'start_return',
])

function sentenceOf(row: DataRow): readonly Sentence[] {
  const [text, accept, entity] = [
    pick(row, ['text']),
    pick(row, ['accept']),
    pick(row, ['entity_value']),
  ]
  const isOrder = pick(row, ['entity_type']) === 'order_id'
  if (typeof text !== 'string' || !Array.isArray(accept)) return []
  const intents = accept.filter((one) => one === null || typeof one === 'string')
  const own = isOrder && typeof entity === 'string' ? text.replaceAll(entity, ORDER) : text
  return [{ text: own, accept: intents }]
}
