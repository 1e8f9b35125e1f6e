import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DeciderOptions } from 'echelon'
import { EchelonError } from 'echelon/runtime'
import type { Config } from 'echelon/config'
import type { CaseOptions, CaseResult } from 'echelon/decide'
import type { PlannedRun } from 'echelon/evals'
import { recordedCase } from './recorded-case.ts'
import type { Io } from '../io.ts'

/** What decides the cases of a data set. */
export interface CaseDecider {
  runOutcome(input: string, options: CaseOptions, run: PlannedRun): Promise<CaseResult>
}

/**
 * Decides each case on its own and records it in a file of its own, so that one that failed can be
 * replayed by itself.
 * @throws EchelonError INVALID_CONFIG when the folder cannot be made
 */
export function recordedIn(
  io: Io,
  folder: string,
  parts: DeciderOptions & { readonly config: Config },
): CaseDecider {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new EchelonError(
      'INVALID_CONFIG',
      `the folder ${folder} cannot be made (${reason}); choose another place`,
      { cause },
    )
  }
  return {
    runOutcome: (task, options, run) =>
      recordedCase(join(folder, fileOf(run)), { task, options, parts }, (problem) => {
        io.stderr.write(`echelon: ${problem}\n`)
      }),
  }
}

/** `<case>.jsonl`, with the round and the purpose where they are not the usual ones. */
function fileOf({ asked, round, purpose }: PlannedRun): string {
  const again = round === 1 ? '' : `-round-${round}`
  const why = purpose === 'latency' ? '-latency' : ''
  return `${asked.id.replaceAll(/[^\w.-]/g, '_')}${again}${why}.jsonl`
}
