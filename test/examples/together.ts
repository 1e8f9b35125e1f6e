import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

/**
 * Runs programs one after the other in this process, each in an empty folder: `together.ts FILE…`. They
 * load shared modules once, which takes most of their time. Prints the output of each as JSON.
 */
const files = process.argv.slice(2).map((file) => ({ file, path: resolve(file) }))
const write = process.stdout.write.bind(process.stdout)
const home = process.cwd()
const printed: Record<string, string> = {}

for (const { file, path } of files) {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-example-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  process.chdir(folder)
  const pieces: string[] = []
  process.stdout.write = (piece: string | Uint8Array): boolean => {
    pieces.push(String(piece))
    return true
  }
  await import(pathToFileURL(path).href)
  // Output after the last `await` still counts.
  await setImmediate()
  printed[file] = pieces.join('')
}
process.stdout.write = write
process.chdir(home)
process.stdout.write(JSON.stringify(printed))
