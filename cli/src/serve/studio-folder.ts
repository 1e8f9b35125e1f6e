import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The folder of the Studio's built page; `undefined` in a clone in which it was not built. */
export function studioFolder(): string | undefined {
  let manifest: string
  try {
    manifest = createRequire(import.meta.url).resolve('@echelon/studio/package.json')
  } catch {
    return undefined
  }
  const folder = join(dirname(manifest), 'dist')
  return existsSync(join(folder, 'index.html')) ? folder : undefined
}
