import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { EchelonError } from 'echelon/runtime'
import type { Embedder, KnowledgeBase } from '@echelon/knowledge'
import type { KnowledgeStore } from '@echelon/store'
import { isPostgresAddress } from '@echelon/store/internal/address'
import { inOwnWords, retold } from '../conversation/own-words.ts'
import { type GlobalOptions, readConfig } from '../configuration.ts'
import type { Io } from '../io.ts'
import { fileExists } from '../file-exists.ts'
import { quoted, STARTED_AS } from '../started-as.ts'
import { DATABASE, placeNamed } from '../store/database.ts'

/** Default knowledge file. */
export const KNOWLEDGE_FILE = '.echelon/knowledge.db'

export interface OpenedKnowledge extends AsyncDisposable {
  readonly store: KnowledgeStore
  readonly base: KnowledgeBase
}

/**
 * Opens knowledge with the embedder that made its vectors.
 * @param said a file, the address of a database, or the word database
 * @param embedder the chosen embedder, which must match what is there
 * @throws EchelonError INVALID_INPUT if there is no file, STORE_UNUSABLE, and errors of loading an
 * embedding model
 */
export async function knowledgeAt(
  io: Pick<Io, 'env'>,
  said: string,
  options: GlobalOptions & { readonly embedder?: string; readonly isNew?: true },
): Promise<OpenedKnowledge> {
  const place = said === DATABASE ? placeNamed(said, await readConfig(io, options)) : said
  const isFile = !isPostgresAddress(place)
  if (isFile && options.isNew !== true && !fileExists(place)) throw notThere(place)
  const { knowledgeBase } = await import('@echelon/knowledge')
  const { openKnowledge } = await import('@echelon/store')
  const store = await openKnowledge(place)
  try {
    const embedder = await embedderFor(io, (await store.embedder()) ?? USUAL, options)
    const base = knowledgeBase({ store, embedder, root: isFile ? rootOf(place) : '.' })
    return { store, base, [Symbol.asyncDispose]: () => store.close() }
  } catch (error) {
    await store.close()
    throw error
  }
}

/**
 * Opens or creates knowledge to add documents to. A new file that stays empty is removed, since
 * a chat would otherwise offer to search it.
 */
export async function fillingKnowledge(
  io: Pick<Io, 'env'>,
  file: string,
  options: GlobalOptions & { readonly embedder?: string },
  fill: (opened: OpenedKnowledge) => Promise<void>,
): Promise<void> {
  if (file === DATABASE || isPostgresAddress(file)) {
    await using opened = await knowledgeAt(io, file, { ...options, isNew: true })
    return await fill(opened)
  }
  const folder = dirname(resolve(file))
  const [isNew, isNewFolder] = [!existsSync(file), !existsSync(folder)]
  let isEmpty = true
  try {
    await using opened = await knowledgeAt(io, file, { ...options, isNew: true })
    try {
      await fill(opened)
    } finally {
      isEmpty = (await opened.store.sources()).length === 0
    }
  } finally {
    if (isNew && isEmpty) {
      for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
      if (isNewFolder && existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder)
    }
  }
}

/**
 * Documents are named by their paths relative to the knowledge file, not to the working folder:
 * otherwise two projects that share a file would remove each other's README.md. Those in a database are
 * named by their paths relative to the working folder, which is another one on each machine.
 */
function rootOf(file: string): string {
  const folder = dirname(resolve(file))
  return basename(folder) === '.echelon' ? dirname(folder) : folder
}

/** Of a new file: it finds by meaning, offline. */
const USUAL = 'sentence/0'

/** An embedder is named by its model, a slash and its dimensions; ours have a version, such as `sentence-2`. */
async function embedderFor(
  io: Pick<Io, 'env'>,
  there: string,
  { embedder, ...global }: GlobalOptions & { readonly embedder?: string },
): Promise<Embedder> {
  const { hashedEmbedder, modelEmbedder, sentenceEmbedder } = await import('@echelon/knowledge')
  const name = embedder ?? there.slice(0, there.lastIndexOf('/'))
  if (/^sentence(?:-\d+)?$/.test(name)) return sentenceEmbedder()
  if (/^hashed(?:-\d+)?$/.test(name)) return hashedEmbedder()
  const { providers } = await readConfig(io, global)
  return await modelEmbedder(name, { providers }).catch((error: unknown) => {
    throw error instanceof EchelonError ? retold(error, inOwnWords(error.message)) : error
  })
}

const notThere = (file: string): EchelonError =>
  new EchelonError(
    'INVALID_INPUT',
    `there is no knowledge file ${file}; add documents with: ${STARTED_AS} knowledge add FOLDER${file === KNOWLEDGE_FILE ? '' : ` --db ${quoted(file)}`}`,
  )
