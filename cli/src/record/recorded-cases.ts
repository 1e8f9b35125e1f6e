import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DeciderOptions } from 'echelon'
import { EchelonError } from 'echelon/runtime'
import type { Config } from 'echelon/config'
import type { CaseOptions, CaseResult } from 'echelon/decide'
import type { PlannedRun } from 'echelon/evals'
import { recordedCase } from './recorded-case.ts'
import type { Io } from '../io.ts'

/** Decides the cases of a dataset. */
export interface CaseDecider {
  runOutcome(input: string, options: CaseOptions, run: PlannedRun): Promise<CaseResult>
}

/**
 * Records each case in its own file, so that a failed one can be replayed.
 * @throws EchelonError INVALID_CONFIG if the folder cannot be created
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

/** `<case>.jsonl`, with suffixes for later rounds and latency runs. */
function fileOf({ asked, round, purpose }: PlannedRun): string {
  const again = round === 1 ? '' : `-round-${round}`
  const why = purpose === 'latency' ? '-latency' : ''
  return `${asked.id.replaceAll(/[^\w.-]/g, '_')}${again}${why}.jsonl`
}
