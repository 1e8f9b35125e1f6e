import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type KnowledgeBase, knowledgeBase, type Embedder } from '@echelon/knowledge'
import { openKnowledge } from '@echelon/store'
import { z } from 'zod'
import { words } from './recall.ts'

/** A question in other words than the text that answers it. */
export interface Paraphrase {
  readonly question: string
  /** Below the folder of its set. */
  readonly file: string
  /** Text in the right chunk. */
  readonly phrase: string
}

/** The questions of one set, and the folders that are searched. */
export interface ParaphraseSet {
  readonly name: 'seen' | 'held out' | 'other texts'
  readonly questions: readonly Paraphrase[]
  readonly folders: readonly string[]
}

const QUESTION = { question: z.string(), file: z.string(), phrase: z.string() }
const FIRST = z.object({
  questions: z.array(z.object({ ...QUESTION, heldOut: z.boolean() })),
  offTopic: z.array(z.string()),
})
const OTHER = z.array(z.object(QUESTION))

const inFolder = (folder: string, question: Paraphrase): Paraphrase => ({
  ...question,
  file: `${folder}/${question.file}`,
})

/**
 * Sixty questions about one folder, a third of them not looked at while the search was changed; and
 * twenty about another, written before it was changed and not looked at either.
 */
export function readParaphrases(): {
  readonly sets: readonly ParaphraseSet[]
  /** Questions that the documents do not answer. */
  readonly offTopic: readonly string[]
} {
  const { questions, offTopic } = FIRST.parse(jsonIn('paraphrases.json'))
  const others = OTHER.parse(jsonIn('paraphrases-2.json'))
  const first = (isHeldOut: boolean): readonly Paraphrase[] =>
    questions.filter(({ heldOut }) => heldOut === isHeldOut).map((one) => inFolder('house', one))
  return {
    sets: [
      { name: 'seen', questions: first(false), folders: ['house'] },
      { name: 'held out', questions: first(true), folders: ['house'] },
      {
        name: 'other texts',
        questions: others.map((one) => inFolder('village', one)),
        folders: ['house', 'village'],
      },
    ],
    offTopic,
  }
}

const jsonIn = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'))

const ROOT = fileURLToPath(new URL('.', import.meta.url))

export interface Share {
  readonly found: number
  readonly of: number
}

export interface ParaphraseRecall extends Share {
  /** Right chunks among the first three that are withheld all the same, since they are below the floor. */
  readonly belowFloor: number
  readonly missed: readonly string[]
  /** Questions about other things for which nothing above the floor is found. */
  readonly withheld: Share
}

/** Number of questions with a right chunk among the first three. */
export async function paraphraseRecall(
  embedder: Embedder,
  { questions, folders }: ParaphraseSet,
  offTopic: readonly string[],
): Promise<ParaphraseRecall> {
  const store = await openKnowledge(':memory:')
  try {
    const base = knowledgeBase({ store, embedder, root: ROOT })
    for (const folder of folders) await base.add(folder)
    const missed: string[] = []
    let belowFloor = 0
    for (const question of questions) {
      const near = await nearnessOf(base, question)
      if (near === undefined) missed.push(question.question)
      else if (near < (embedder.floor ?? 0)) belowFloor++
    }
    const isNear = await Promise.all(offTopic.map((text) => findsAny(base, text)))
    return {
      found: questions.length - missed.length,
      of: questions.length,
      belowFloor,
      missed,
      withheld: { found: isNear.filter((is) => !is).length, of: offTopic.length },
    }
  } finally {
    await store.close()
  }
}

/** @returns how near the right chunk is, if it is among the first three */
async function nearnessOf(
  base: KnowledgeBase,
  { question, file, phrase }: Paraphrase,
): Promise<number | undefined> {
  const found = await base.search(question, { limit: 3 })
  const right = found.find(
    ({ source, headings, text }) =>
      source === file && words([...headings, text].join(' ')).includes(words(phrase)),
  )
  return right === undefined ? undefined : (right.similarity ?? 0)
}

async function findsAny(base: KnowledgeBase, text: string): Promise<boolean> {
  const { floor = 0 } = base.embedder
  return (await base.search(text)).some(({ similarity = 0 }) => similarity >= floor)
}
