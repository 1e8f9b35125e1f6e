import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readGivenText } from 'echelon/internal/platform'
import { EchelonError } from 'echelon/internal/value'
import type { Knowledge } from '../knowledge/knowledge.ts'
import { type Section, sectionsOf } from '../knowledge/section.ts'

/** Limits of a folder: more belongs into a search engine behind a function. */
const MOST_DOCUMENTS = 500
const MOST_BYTES = 1_000_000

/**
 * Reads the Markdown documents of a folder, to answer questions about the shop from them, with the source.
 *
 * @param folder default: the `packages/support/knowledge` that comes with Echelon
 * @param more further sections, such as what the rules say of themselves
 * @throws EchelonError INVALID_CONFIG for a folder or document that cannot be read
 */
export async function loadKnowledge(
  folder?: string,
  more: readonly Section[] = [],
): Promise<Knowledge> {
  const { searchSections } = await import('../knowledge/search-sections.ts')
  const place = folder ?? shippedFolder()
  const names = await documentsIn(place)
  const sections: Section[] = [...more]
  for (const name of names) {
    const text = await readGivenText(join(place, name), MOST_BYTES).catch((cause: unknown) => {
      const sentence = `${join(place, name)} cannot be read; remove it, or make it smaller`
      throw new EchelonError('INVALID_CONFIG', sentence, { cause })
    })
    sections.push(...sectionsOf(text, name.replace(/\.md$/i, '')))
  }
  return searchSections(sections)
}

const shippedFolder = (): string =>
  dirname(fileURLToPath(import.meta.resolve('@echelon/support/knowledge/returns.md')))

async function documentsIn(folder: string): Promise<readonly string[]> {
  const found = await readdir(folder, { recursive: true }).catch((cause: unknown) => {
    const sentence = `the folder ${folder} cannot be read; name a folder of Markdown documents`
    throw new EchelonError('INVALID_CONFIG', sentence, { cause })
  })
  const names = found.filter((name) => /\.md$/i.test(name)).toSorted()
  if (names.length <= MOST_DOCUMENTS) return names
  throw new EchelonError(
    'INVALID_CONFIG',
    `${folder} has ${names.length} documents, and ${MOST_DOCUMENTS} are read; give a function that searches them instead`,
  )
}
