import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { EchelonError } from 'echelon/runtime'
import type { Tuned } from 'echelon/evals'
import { replaceFile } from '../replace-file.ts'

/** Paths of what a tuning leaves in its folder. */
export const pathsIn = (
  folder: string,
): { readonly [File in 'gate' | 'report' | 'page']: string } => ({
  gate: join(folder, 'gate.json'),
  report: join(folder, 'tune.json'),
  page: join(folder, 'report.html'),
})

/**
 * Makes the folder, before any work is done for it.
 * @throws EchelonError INVALID_CONFIG when it cannot be made
 */
export function makeFolder(folder: string): void {
  attempt(folder, () => void mkdirSync(folder, { recursive: true, mode: 0o700 }))
}

/**
 * Writes the report, the page, and the fitted score if there is one.
 * @throws EchelonError INVALID_CONFIG when one cannot be written
 */
export function writeTuned(folder: string, { report, gate }: Tuned, page: string): void {
  const paths = pathsIn(folder)
  const files = {
    [paths.report]: `${JSON.stringify(report, null, 2)}\n`,
    [paths.page]: page,
    ...(gate === undefined ? {} : { [paths.gate]: `${JSON.stringify(gate, null, 2)}\n` }),
  }
  for (const [path, text] of Object.entries(files)) {
    attempt(path, () => replaceFile(path, text, 0o600))
  }
}

function attempt(path: string, act: () => void): void {
  try {
    act()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new EchelonError(
      'INVALID_CONFIG',
      `${path} cannot be written (${reason}); choose another place with --out`,
      { cause },
    )
  }
}
