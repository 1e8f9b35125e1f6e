import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isRecord } from '../../../packages/echelon/src/core/value/json.ts'

/** Folder of the packages. */
export const PACKAGES: string = fileURLToPath(new URL('../../../node_modules/', import.meta.url))

/**
 * Markdown files of pinned packages, by path below `node_modules`: the same for every installation of
 * the lock file. Echelon's own files change too often.
 */
export function shippedDocuments(): readonly string[] {
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  return globSync(['package.json', '{cli,packages/*}/package.json'], { cwd: root })
    .flatMap((manifest) => pinned(join(root, manifest)))
    .filter((name, nth, all) => !/^@?echelon/.test(name) && all.indexOf(name) === nth)
    .toSorted()
    .flatMap((name) => markdownBelow(name))
}

const DEPENDENCIES = ['dependencies', 'devDependencies', 'peerDependencies']

function pinned(manifest: string): readonly string[] {
  const read: unknown = JSON.parse(readFileSync(manifest, 'utf8'))
  if (!isRecord(read)) return []
  return DEPENDENCIES.flatMap((kind) => {
    const named = read[kind]
    return isRecord(named) ? Object.keys(named) : []
  })
}

/** Licenses and changelogs are skipped: they are long and answer no question. */
const NO_DOCUMENT = /license|licence|changelog|history|changes|code_of_conduct/i

function markdownBelow(folder: string): readonly string[] {
  const whole = join(PACKAGES, folder)
  if (!existsSync(whole)) return []
  return readdirSync(whole, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : markdownBelow(path)
      return /\.md$/i.test(entry.name) && !NO_DOCUMENT.test(entry.name) ? [path] : []
    })
}
