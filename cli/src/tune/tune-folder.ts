import { join } from 'node:path'
import type { Tuned } from 'echelon/evals'
import { written } from '../out-folder.ts'
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
 * Writes the report, the page, and the fitted score if there is one. Returns the paths.
 * @throws EchelonError INVALID_CONFIG when one cannot be written
 */
export function writeTuned(
  folder: string,
  { report, gate }: Tuned,
  page: string,
): readonly string[] {
  const paths = pathsIn(folder)
  const files = {
    [paths.report]: `${JSON.stringify(report, null, 2)}\n`,
    [paths.page]: page,
    ...(gate === undefined ? {} : { [paths.gate]: `${JSON.stringify(gate, null, 2)}\n` }),
  }
  for (const [path, text] of Object.entries(files)) {
    written(path, () => replaceFile(path, text, 0o600))
  }
  return Object.keys(files)
}
