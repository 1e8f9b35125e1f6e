import { type DataRow, readDataFile } from '../../tools/data-file.ts'

/** One attempt at a task, as it was recorded. */
export interface RecordedAttempt {
  readonly success: boolean
  /** The reflections on failures that the agent had written by then. */
  readonly reflections: number
}

/** The attempts of one agent at one task, in order. */
export interface AttemptsRow {
  readonly id: string
  readonly benchmark: string
  readonly strategy: string
  readonly attempts: readonly RecordedAttempt[]
}

export const ATTEMPTS_FILE = 'act_trials.jsonl'

/**
 * Reads the recorded attempts; undefined if the folder does not have them.
 * @throws EchelonError INVALID_INPUT for a file of another form
 */
export async function readAttempts(folder: string): Promise<readonly AttemptsRow[] | undefined> {
  const data = await readDataFile(folder, ATTEMPTS_FILE)
  if (data === undefined) return undefined
  const rows = data.rows.flatMap((row) => rowOf(row) ?? [])
  if (rows.length === 0) throw data.unusable('lists `success` and `reflections`')
  return rows
}

function rowOf({
  id,
  benchmark,
  strategy,
  success,
  reflections,
}: DataRow): AttemptsRow | undefined {
  if (typeof id !== 'string' || typeof benchmark !== 'string' || typeof strategy !== 'string') {
    return undefined
  }
  if (!Array.isArray(success) || !Array.isArray(reflections)) return undefined
  const attempts = success.map((one: unknown, place) => ({
    success: one === true,
    reflections: Number(reflections[place] ?? 0),
  }))
  return { id, benchmark, strategy, attempts }
}
