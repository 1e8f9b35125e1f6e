import type { Embedder } from 'echelon/internal/model'
import type { Chunk } from 'echelon/internal/knowledge'
import { sentencesOf } from './sentences.ts'

/**
 * The texts whose vectors stand for a chunk: the chunk with the title and the headings that it stands
 * under, or each of its sentences with them, since a sentence alone does not say what it is about.
 */
export function embeddedTexts(
  { text, headings }: Pick<Chunk, 'text' | 'headings'>,
  title: string,
  { unit }: Pick<Embedder, 'unit'>,
): readonly string[] {
  if (unit !== 'sentence') return [[title, ...headings, text].join('\n')]
  const heading = headings.at(-1)
  const place = heading === undefined || heading === title ? title : `${title}: ${heading}`
  const sentences = sentencesOf(text)
  return sentences.length === 0 ? [place] : sentences.map((sentence) => `${place}. ${sentence}`)
}
