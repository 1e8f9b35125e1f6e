import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const OUT = fileURLToPath(new URL('../../../out', import.meta.url))

/** Next to the code, because the temporary folder may be in memory, where nothing is flushed. */
export async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  mkdirSync(OUT, { recursive: true })
  const folder = mkdtempSync(join(OUT, 'bench-store-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
