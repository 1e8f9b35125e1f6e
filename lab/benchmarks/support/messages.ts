import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSupportAgent, JSONDataSource, MockSink, type TelemetryEvent } from '@echelon/support'
import type { Row } from '../tools/row.ts'

const FILE = join(import.meta.dirname, '../../../datasets/support-messages.tsv')

/** Each message is of one of these, in turn. */
const CUSTOMERS = ['C-001', 'C-002', 'C-003', 'C-004', 'C-005', 'C-006', 'C-007', 'C-008'] as const

interface Message {
  readonly label: string
  readonly text: string
}

/** What the agent made of a message. */
interface Made {
  readonly commands: readonly string[]
  readonly intents: readonly string[]
  /** Headings of the documents that the answer names. */
  readonly sections: readonly string[]
}

/**
 * Measures on 600 messages of our own, each the first of a conversation, whether the agent reads them as their author
 * meant them, without a model. The author had seen the shop's data and documents, and neither code nor examples. Since
 * then the agent was mended with what they showed: others score lower.
 */
export async function messageFigures(): Promise<readonly Row[]> {
  const messages = readFileSync(FILE, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Message => {
      const [label = '', ...text] = line.split('\t')
      return { label, text: text.join(' ') }
    })
  const start = performance.now()
  const read = await reader()
  const judged: { readonly kind: string; readonly right: boolean }[] = []
  for (const [index, { label, text }] of messages.entries()) {
    const made = await read(text, CUSTOMERS[index % CUSTOMERS.length] ?? CUSTOMERS[0])
    judged.push({ kind: label.replace(/:.*/, ''), right: isRight(label, made) })
  }
  const seconds = (performance.now() - start) / 1000
  const row = (set: string, rows: typeof judged): Row => ({
    set,
    rows: messages.length,
    counted: rows.length,
    right: rows.filter(({ right }) => right).length,
    seconds,
  })
  const kinds = Map.groupBy(judged, ({ kind }) => kind)
  return [
    row('messages of our own, all', judged),
    ...[...kinds].map(([kind, rows]) => row(`  ${kind}`, rows)),
  ]
}

async function reader(): Promise<(text: string, customerId: string) => Promise<Made>> {
  const events: TelemetryEvent[] = []
  const agent = await createSupportAgent({
    telemetry: new MockSink(events),
    dataSource: new JSONDataSource(),
  })
  let session = 0
  return async (text, customerId) => {
    events.length = 0
    const { text: answer } = await agent.resolve({ text, customerId }, `message-${session++}`)
    const read = events.find(({ stage }) => stage === 'intent_classified')?.payload
    return {
      commands: textsOf(read?.['commands']),
      intents: [...textsOf([read?.['intent_id']]), ...textsOf(read?.['further_intents'])],
      sections: [...answer.matchAll(/\(From: ([^)]*)\)/g)].map(
        ([, from = '']) => from.split(': ').at(-1) ?? '',
      ),
    }
  }
}

const textsOf = (list: unknown): readonly string[] =>
  Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []

/** Whether it was read as meant: the right intent, the right section, or nothing where nothing answers. */
function isRight(label: string, { commands, intents, sections }: Made): boolean {
  if (label.startsWith('doc:')) return sections.includes(label.slice('doc:'.length))
  switch (label) {
    case 'beyond':
      return commands.includes('ask-knowledge') && sections.length === 0
    case 'out_of_scope':
      return intents.length === 0 && sections.length === 0
    case 'idle':
      return intents.length === 0 && sections.length === 0 && !commands.includes('unclear')
    case 'hand_over':
      return commands.includes('ask-person') || intents.includes(label)
    // Who does not own the thing is told when such things can be sent back.
    case 'return_deadline':
      return intents.includes(label) || sections.includes('Returns')
    default:
      return intents.includes(label)
  }
}
