import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type KnowledgeBase, knowledgeBase } from '@echelon/knowledge'
import type { Embedder } from '@echelon/knowledge'
import { openKnowledge } from '@echelon/store'
import { z } from 'zod'
import { words } from './recall.ts'

/** A question in other words than the text that answers it. */
export interface Paraphrase {
  readonly question: string
  /** Below `house/`. */
  readonly file: string
  /** Text in the right chunk. */
  readonly phrase: string
  /** Not looked at while the search was changed. */
  readonly heldOut: boolean
}

export interface Paraphrases {
  readonly questions: readonly Paraphrase[]
  /** Questions that the documents do not answer. */
  readonly offTopic: readonly string[]
}

export function readParaphrases(): Paraphrases {
  const schema: z.ZodType<Paraphrases> = z.object({
    questions: z.array(
      z.object({
        question: z.string(),
        file: z.string(),
        phrase: z.string(),
        heldOut: z.boolean(),
      }),
    ),
    offTopic: z.array(z.string()),
  })
  const file = new URL('paraphrases.json', import.meta.url)
  return schema.parse(JSON.parse(readFileSync(file, 'utf8')))
}

/** The documents of the questions. */
export const HOUSE: string = fileURLToPath(new URL('house/', import.meta.url))

export interface ParaphraseRecall {
  readonly dev: Share
  readonly heldOut: Share
  readonly missed: readonly string[]
  /** Questions about other things for which nothing above the floor is found. */
  readonly withheld: Share
}

export interface Share {
  readonly found: number
  readonly of: number
}

/** How many questions have a right chunk among the first three. */
export async function paraphraseRecall(
  embedder: Embedder,
  { questions, offTopic }: Paraphrases,
): Promise<ParaphraseRecall> {
  const store = await openKnowledge(':memory:')
  try {
    const base = knowledgeBase({ store, embedder, root: HOUSE })
    await base.add('.')
    const found = new Map<Paraphrase, boolean>()
    for (const question of questions) found.set(question, await isFound(base, question))
    const share = (heldOut: boolean): Share => {
      const all = questions.filter((one) => one.heldOut === heldOut)
      return { found: all.filter((one) => found.get(one)).length, of: all.length }
    }
    const near = await Promise.all(offTopic.map((text) => isNear(base, text)))
    return {
      dev: share(false),
      heldOut: share(true),
      missed: questions
        .filter((one) => !one.heldOut && !found.get(one))
        .map(({ question }) => question),
      withheld: { found: near.filter((is) => !is).length, of: offTopic.length },
    }
  } finally {
    store.close()
  }
}

async function isFound(
  base: KnowledgeBase,
  { question, file, phrase }: Paraphrase,
): Promise<boolean> {
  const found = await base.search(question, { limit: 3 })
  return found.some(
    ({ source, headings, text }) =>
      source === file && words([...headings, text].join(' ')).includes(words(phrase)),
  )
}

async function isNear(base: KnowledgeBase, text: string): Promise<boolean> {
  const { floor = 0 } = base.embedder
  return (await base.search(text)).some(({ similarity = 0 }) => similarity >= floor)
}
