import { isRecord } from '../../../packages/echelon/src/core/value/json.ts'
import { type DataRow, readDataFile } from '../tools/data-file.ts'

/** The models of `esc_gsm8k_openai_models.jsonl`, cheapest first. */
const OPINIONS = [
  '6b_finetuning',
  '6b_verification',
  '175b_finetuning',
  '175b_verification',
] as const

/** A recorded answer in words, and whether its last number is the right one. */
export interface RecordedAnswer {
  readonly model: string
  readonly text: string
  readonly right: boolean
}

/** A question with the recorded answers of a small and a big model, and of others as second opinions. */
export interface Gsm8kRow {
  readonly id: string
  readonly question: string
  readonly gold: string
  readonly small: RecordedAnswer
  readonly big: RecordedAnswer
  /** In the order of `OPINIONS`; empty where the second file is absent. */
  readonly opinions: readonly RecordedAnswer[]
}

export const GSM8K_FILE = 'esc_gsm8k.jsonl'
const OPINIONS_FILE = 'esc_gsm8k_openai_models.jsonl'

/**
 * Reads the recorded answers to GSM8K; undefined if the folder does not have them.
 * @throws EchelonError INVALID_INPUT for a file of another form
 */
export async function readGsm8k(folder: string): Promise<readonly Gsm8kRow[] | undefined> {
  const data = await readDataFile(folder, GSM8K_FILE)
  if (data === undefined) return undefined
  const others = await readDataFile(folder, OPINIONS_FILE)
  const byId = new Map((others?.rows ?? []).map((row) => [row['id'], row['answers']]))
  const rows = data.rows.flatMap((row) => rowOf(row, byId.get(row['id'])) ?? [])
  if (rows.length === 0) throw data.unusable('a question with `small` and `big` answers')
  return rows
}

function rowOf(row: DataRow, answers: unknown): Gsm8kRow | undefined {
  const { id, question, gold } = row
  const [small, big] = [answerOf(row['small']), answerOf(row['big'])]
  if (typeof id !== 'string' || typeof question !== 'string' || typeof gold !== 'string') {
    return undefined
  }
  if (small === undefined || big === undefined) return undefined
  const opinions = OPINIONS.flatMap((model) => {
    const answer = isRecord(answers) ? answers[model] : undefined
    return answerOf(isRecord(answer) ? { ...answer, model } : undefined) ?? []
  })
  return { id, question, gold, small, big, opinions }
}

function answerOf(value: unknown): RecordedAnswer | undefined {
  if (!isRecord(value)) return undefined
  const { model, text } = value
  const right = value['ok_lastnum'] ?? value['ok']
  return typeof model === 'string' && typeof text === 'string' && typeof right === 'boolean'
    ? { model, text, right }
    : undefined
}
