import { fileURLToPath } from 'node:url'
import { loadIntents, NO_CONVERSATION, trainReader } from '@echelon/support'
import { join } from 'node:path'
import { isRecord } from '../../../packages/echelon/src/core/value/json.ts'
import { type DataRow, pick, readDataFile } from '../tools/data-file.ts'
import { absent, type Row } from '../tools/row.ts'

const SET = 'gold_actions.jsonl'
/** The agent acts on no reading that is less sure. */
const SURE = 0.6

/**
 * Measures whether the first message of a customer of the shop of tau-bench leads to the right task, without a
 * model: the customer says at once all that the instruction tells them to want. The first task is right if the
 * gold actions contain it; if they change nothing, it must not change anything either.
 * @throws EchelonError INVALID_INPUT for a file that cannot be used
 */
export async function retailFirstFigures(folder: string): Promise<readonly Row[]> {
  const file = await readDataFile(join(folder, 'tau_retail'), SET)
  if (file === undefined) return [absent('tau_retail first message')]
  const { config } = await loadIntents(
    fileURLToPath(new URL('retail/intents.yaml', import.meta.url)),
  )
  const start = performance.now()
  const reader = trainReader(config.intents, config.outOfScope)
  const context = { intents: config.intents, dialogue: NO_CONVERSATION, history: [] }
  const toolOf = new Map(config.intents.map(({ id, tool }) => [id, tool]))
  const tasks = file.rows.flatMap(taskOf)
  if (tasks.length === 0) throw file.unusable('an instruction and its actions')
  const isRight = ({ message, tools }: Task): boolean => {
    const { commands, confidence } = reader(message, context)
    const [first] = commands.flatMap((command) =>
      command.type === 'start-task' && confidence >= SURE
        ? [toolOf.get(command.intentId) ?? '']
        : [],
    )
    const isChange = first !== undefined && WRITES.has(first)
    return tools.length === 0 ? !isChange : first !== undefined && tools.includes(first)
  }
  return [
    {
      set: 'tau_retail: the first message leads to the right task',
      rows: file.rows.length,
      counted: tasks.length,
      right: tasks.filter(isRight).length,
      seconds: (performance.now() - start) / 1000,
    },
  ]
}

/** A customer's first message, and the tools of the tasks that are right for it. */
interface Task {
  readonly message: string
  readonly tools: readonly string[]
}

const WRITES: ReadonlySet<string> = new Set([
  'exchange_delivered_order_items',
  'return_delivered_order_items',
  'cancel_pending_order',
  'modify_pending_order_items',
  'modify_pending_order_address',
  'modify_pending_order_payment',
  'modify_user_address',
  'transfer_to_human_agents',
])

function taskOf(row: DataRow): readonly Task[] {
  const [instruction, actions] = [pick(row, ['instruction']), pick(row, ['actions'])]
  if (typeof instruction !== 'string' || !Array.isArray(actions)) return []
  const names = actions
    .filter(isRecord)
    .flatMap(({ name }) => (typeof name === 'string' ? [name] : []))
  return [{ message: inFirstPerson(instruction), tools: names.filter((name) => WRITES.has(name)) }]
}

/** "You want to return your shoes" as the customer says it. */
const inFirstPerson = (instruction: string): string =>
  instruction
    .replaceAll(/\byou are\b/giu, 'I am')
    .replaceAll(/\byou're\b/giu, "I'm")
    .replaceAll(/\byourself\b/giu, 'myself')
    .replaceAll(/\byours\b/giu, 'mine')
    .replaceAll(/\byour\b/giu, 'my')
    .replaceAll(/\byou\b/giu, 'I')
