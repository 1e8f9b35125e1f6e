import { readFileSync } from 'node:fs'
import type { FoundChunk, KnowledgeBase } from '@echelon/knowledge'
import { z } from 'zod'

export interface Question {
  /** `paraphrased`: worded differently from the document. */
  readonly kind: 'plain' | 'paraphrased'
  readonly question: string
  /** Path below `node_modules`. */
  readonly file: string
  /** Text in the right chunk. */
  readonly phrase: string
}

export interface Questions {
  readonly questions: readonly Question[]
  /** Questions that the documents do not answer. */
  readonly offTopic: readonly string[]
}

export function readQuestions(): Questions {
  const schema: z.ZodType<Questions> = z.object({
    questions: z.array(
      z.object({
        kind: z.enum(['plain', 'paraphrased']),
        question: z.string(),
        file: z.string(),
        phrase: z.string(),
      }),
    ),
    offTopic: z.array(z.string()),
  })
  return schema.parse(JSON.parse(readFileSync(new URL('questions.json', import.meta.url), 'utf8')))
}

/** Which search to use. */
export type Half = 'keyword' | 'vector' | 'hybrid'
export const HALVES: readonly Half[] = ['keyword', 'vector', 'hybrid']

/** Questions with a right chunk among the first five. */
export interface Recall {
  readonly found: number
  readonly of: number
  /** Mean reciprocal rank of the first right chunk among the first five. */
  readonly reciprocalRank: number
  readonly missed: readonly Question[]
}

export async function recallAt5(
  base: KnowledgeBase,
  half: Half,
  questions: readonly Question[],
): Promise<Recall> {
  const missed: Question[] = []
  let reciprocals = 0
  for (const question of questions) {
    const found = await searchBy(base, half, question.question)
    const place = found.findIndex((chunk) => isRight(chunk, question))
    if (place === -1) missed.push(question)
    else reciprocals += 1 / (place + 1)
  }
  return {
    found: questions.length - missed.length,
    of: questions.length,
    reciprocalRank: reciprocals / questions.length,
    missed,
  }
}

async function searchBy(
  base: KnowledgeBase,
  half: Half,
  text: string,
): Promise<readonly FoundChunk[]> {
  if (half === 'hybrid') return await base.search(text)
  if (half === 'keyword') return await base.store.search({ text })
  const [vector] = await base.embedder.embed([text])
  return await base.store.search({ text: '', ...(vector && { vector }) })
}

const isRight = ({ source, headings, text }: FoundChunk, { file, phrase }: Question): boolean =>
  source === file && words([...headings, text].join(' ')).includes(words(phrase))

/** Readers remove format marks, so only words are compared. */
export const words = (text: string): string =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')
