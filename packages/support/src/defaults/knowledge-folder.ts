import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readGivenText } from 'echelon/internal/platform'
import { EchelonError } from 'echelon/internal/value'
import type { Knowledge } from '../knowledge/knowledge.ts'
import { type Section, sectionsOf } from '../knowledge/section.ts'
import { type LabeledLine, labeledLines } from './labeled-lines.ts'
import { readOnce } from './read-once.ts'
import { loadTrainedModels } from './trained-models.ts'

/** Limits of a folder: more belongs into a search engine behind a function. */
const MOST_DOCUMENTS = 500
const MOST_BYTES = 1_000_000

/**
 * Reads the Markdown documents of a folder, to answer questions about the shop from them, with the source. A file
 * `asked.tsv` beside them may hold further wordings of their questions: `?`, the place of a section such as
 * `Delivery: Where do you deliver?`, a tab, and a question as a customer asked it.
 *
 * @param folder default: the `packages/support/knowledge` that comes with Echelon, which a process reads once
 * @param more further sections, such as what the rules say of themselves
 * @throws EchelonError INVALID_CONFIG for a folder or document that cannot be read
 */
export function loadKnowledge(folder?: string, more: readonly Section[] = []): Promise<Knowledge> {
  if (folder !== undefined) return knowledgeOf(folder, more)
  const key = JSON.stringify(more)
  const read = shipped.get(key) ?? readOnce(() => knowledgeOf(shippedFolder(), more))
  if (shipped.size < MOST_KEPT) shipped.set(key, read)
  return read()
}

/** The documents that come along, by the sections that are searched with them: those of the rules, or none. */
const shipped = new Map<string, () => Promise<Knowledge>>()
const MOST_KEPT = 4

async function knowledgeOf(folder: string, more: readonly Section[]): Promise<Knowledge> {
  const [{ searchSections }, models] = await Promise.all([
    import('../knowledge/search-sections.ts'),
    loadTrainedModels(),
  ])
  return searchSections(await loadSections(folder, more), models)
}

/** The sections of a folder's documents, with the wordings of their questions. */
export async function loadSections(
  folder: string,
  more: readonly Section[],
): Promise<readonly Section[]> {
  const [names, asked] = await Promise.all([documentsIn(folder), readWordings(folder)])
  const sections: Section[] = [...more]
  for (const name of names) {
    const text = await readGivenText(join(folder, name), MOST_BYTES).catch((cause: unknown) => {
      const sentence = `${join(folder, name)} cannot be read; remove it, or make it smaller`
      throw new EchelonError('INVALID_CONFIG', sentence, { cause })
    })
    sections.push(...sectionsOf(text, name.replace(/\.md$/i, '')))
  }
  const places = new Set(sections.map(({ source }) => `?${source}`))
  const stray = asked.find(({ label, text }) => !places.has(label) || text === '')
  if (stray !== undefined) {
    const [one = '?Returns'] = places
    const sentence = `${join(folder, WORDINGS)}:${stray.number}: write the place of a section, such as ${one}, a tab and a question`
    throw new EchelonError('INVALID_CONFIG', sentence)
  }
  return sections.map((section) => ({
    ...section,
    asked: [
      ...section.asked,
      ...asked.filter(({ label }) => label === `?${section.source}`).map(({ text }) => text),
    ],
  }))
}

/** Wordings of the sections' questions: `?Delivery: Where do you deliver?`, a tab, and what customers say. */
const WORDINGS = 'asked.tsv'

async function readWordings(folder: string): Promise<readonly LabeledLine[]> {
  const names: readonly string[] = await readdir(folder).catch(() => [])
  return names.includes(WORDINGS)
    ? labeledLines(await readGivenText(join(folder, WORDINGS), MOST_BYTES))
    : []
}

/** The documents that come along. */
export const shippedFolder = (): string =>
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
