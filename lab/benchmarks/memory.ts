/**
 * Measures knowledge: how many of 70 questions about documents in pinned packages are answered by the
 * first five chunks, by words, by vectors and by both; and the time to add and to search 20,000 chunks.
 * `npm run bench:memory`: a table with the bars.
 *
 * Then 60 questions in other words than the text's, a third of them held out, and 20 more about other
 * texts, with both embedders that work offline: a right chunk among the first three.
 *
 * `--missed` prints the questions that the hybrid misses; `--recall` skips the 20,000 chunks;
 * `--paraphrases` measures the 60 questions only. `--database postgres://…` has the chunks of the first
 * and the last part in a new schema of a database instead of a file.
 */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  hashedEmbedder,
  type KnowledgeBase,
  knowledgeBase,
  sentenceEmbedder,
} from '@echelon/knowledge'
import { openKnowledge } from '@echelon/store'
import { PACKAGES, shippedDocuments } from './memory/documents.ts'
import { countChunks, indexMany, quantile, searchTimes } from './memory/many-chunks.ts'
import {
  type ParaphraseRecall,
  paraphraseRecall,
  readParaphrases,
  type Share,
} from './memory/paraphrases.ts'
import { HALVES, type Question, readQuestions, type Recall, recallAt5 } from './memory/recall.ts'

const MANY = 20_000
const INDEX_BAR_S = 60
const SEARCH_BAR_MS = 30
const PARAPHRASE_BAR = 0.85

const { values } = parseArgs({
  options: {
    missed: { type: 'boolean', default: false },
    recall: { type: 'boolean', default: false },
    paraphrases: { type: 'boolean', default: false },
    database: { type: 'string' },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'echelon-bench-memory-'))
const { questions, offTopic } = readQuestions()
try {
  if (!values.paraphrases) await measureRecall()
  await measureParaphrases()
  if (!values.recall && !values.paraphrases) await measureSize()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
// The processes that read documents stay warm.
process.exit()

async function measureRecall(): Promise<void> {
  await using store = closing(await openKnowledge(placeOf('recall')))
  const base = knowledgeBase({ store: store.opened, root: PACKAGES })
  for (const document of shippedDocuments()) await base.add(document)
  const documents = (await base.list()).length
  console.log(
    `recall@5: ${questions.length} questions, ${documents} documents, ${await countChunks(base)} pieces`,
  )
  const found = new Map<string, Recall>()
  for (const half of HALVES) {
    const recall = await recallAt5(base, half, questions)
    found.set(half, recall)
    console.log(
      `  ${half.padEnd(8)} ${shown(recall)}   plain ${ofKind(recall, 'plain')}   paraphrased ${ofKind(recall, 'paraphrased')}`,
    )
  }
  const [keyword = 0, vector = 0, hybrid = 0] = HALVES.map((half) => found.get(half)?.found)
  const beats = hybrid > keyword && hybrid > vector
  console.log(`  bar: the hybrid finds more than either half: ${beats ? 'yes' : 'no'}`)
  if (values.missed)
    for (const { question } of found.get('hybrid')?.missed ?? []) console.log(`    ${question}`)
  await measureFloor(base)
}

async function measureParaphrases(): Promise<void> {
  const { sets, offTopic } = readParaphrases()
  console.log("recall@3 in other words than the text's")
  for (const embedder of [hashedEmbedder(), sentenceEmbedder()]) {
    const all = new Map<string, ParaphraseRecall>()
    for (const set of sets) all.set(set.name, await paraphraseRecall(embedder, set, offTopic))
    const shares = [...all].map(([name, found]) => `${name} ${rate(found)}`)
    const sixty = sum(...['seen', 'held out'].flatMap((name) => all.get(name) ?? []))
    const { withheld } = all.get('seen') ?? { withheld: sum() }
    const below = [...all.values()].reduce((count, { belowFloor }) => count + belowFloor, 0)
    console.log(
      `  ${embedder.id.padEnd(14)} the 60 ${rate(sixty)}   ${shares.join('   ')}   withheld: ${below} of those found, questions about other things ${rate(withheld)}`,
    )
    if (values.missed) {
      for (const question of all.get('seen')?.missed ?? []) console.log(`    ${question}`)
    }
  }
  console.log(`  bar: ${PARAPHRASE_BAR} of the 60`)
}

function sum(...shares: readonly Share[]): Share {
  return {
    found: shares.reduce((total, { found }) => total + found, 0),
    of: shares.reduce((total, { of }) => total + of, 0),
  }
}

function rate({ found, of }: Share): string {
  return `${found}/${of} (${(found / of).toFixed(3)})`
}

function shown({ found, of, reciprocalRank }: Recall): string {
  return `${found}/${of} (${((100 * found) / of).toFixed(1)} %)   1/place ${reciprocalRank.toFixed(3)}`
}

function ofKind({ missed }: Recall, kind: Question['kind']): string {
  const all = questions.filter((question) => question.kind === kind).length
  return `${all - missed.filter((question) => question.kind === kind).length}/${all}`
}

async function measureFloor(base: KnowledgeBase): Promise<void> {
  const { floor = 0 } = hashedEmbedder()
  const isNear = async (text: string): Promise<boolean> =>
    (await base.search(text)).some(({ similarity = 0 }) => similarity >= floor)
  const answered = await Promise.all(questions.map(({ question }) => isNear(question)))
  const others = await Promise.all(offTopic.map(isNear))
  const withheld = (all: readonly boolean[]): string =>
    `${all.filter((near) => !near).length}/${all.length}`
  console.log(
    `  withheld below the floor of ${floor}: ${withheld(others)} questions about other things, ${withheld(answered)} of the questions`,
  )
}

async function measureSize(): Promise<void> {
  const place = placeOf('many')
  await using store = closing(await openKnowledge(place))
  const base = knowledgeBase({ store: store.opened, root: PACKAGES })
  const { documents, chunks, ms } = await indexMany(base, MANY)
  const texts = questions.map(({ question }) => question)
  const [first = NaN] = await searchTimes(base, texts.slice(0, 1))
  // Each question once, so that no cached vector is used; the first ones are warm-up.
  const times = (await searchTimes(base, texts)).slice(10)
  const met = (value: number, bar: number): string =>
    value <= bar ? 'yes' : `no, ${(value / bar).toFixed(2)} x`
  console.log(
    `size: ${chunks} pieces of ${documents} documents, ${existsSync(place) ? `${(statSync(place).size / 1e6).toFixed(0)} MB, ` : ''}${cpus().length} cores`,
  )
  console.log(
    `  taken in            ${(ms / 1000).toFixed(1)} s   bar ${INDEX_BAR_S} s: ${met(ms / 1000, INDEX_BAR_S)}`,
  )
  for (const [name, value] of [
    ['median', quantile(times, 0.5)],
    ['p95', quantile(times, 0.95)],
  ] as const) {
    console.log(
      `  a search, ${name.padEnd(8)}  ${value.toFixed(1)} ms   bar ${SEARCH_BAR_MS} ms: ${met(value, SEARCH_BAR_MS)}`,
    )
  }
  console.log(`  the first search, which reads all vectors: ${first.toFixed(0)} ms`)
}

function placeOf(name: string): string {
  if (values.database === undefined) return join(folder, `${name}.db`)
  const address = new URL(values.database)
  address.searchParams.set('schema', `bench_${name}_${process.pid}`)
  return address.href
}

function closing<Opened extends { close(): Promise<void> }>(
  opened: Opened,
): { readonly opened: Opened } & AsyncDisposable {
  return { opened, [Symbol.asyncDispose]: () => opened.close() }
}
