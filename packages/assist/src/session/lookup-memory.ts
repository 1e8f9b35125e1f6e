import type { Json, MemoryStore } from 'echelon/runtime'
import { chunkText, type FoundChunk } from 'echelon/internal/knowledge'
import type { Lookup } from '../assist-settings.ts'

/** Documents that the executor looks things up in, such as a `KnowledgeBase` of `@echelon/knowledge`. */
export interface AssistKnowledge {
  search(text: string, options?: { readonly limit?: number }): Promise<readonly FoundChunk[]>
  /** Chunks less similar than its floor are left out. */
  readonly embedder?: { readonly floor?: number }
}

/** Facts about the user, such as `UserFacts` of `@echelon/knowledge`. */
export interface AssistFacts {
  /** The facts that may matter for a message, each as a sentence. */
  about(text: string): Promise<readonly string[]>
}

export interface Lookups {
  readonly knowledge?: AssistKnowledge | undefined
  readonly facts?: AssistFacts | undefined
}

const MOST_PASSAGES = 5

/** The lookups that there are, in their order. */
export const lookupsIn = ({ knowledge, facts }: Lookups): readonly Lookup[] => [
  ...(facts === undefined ? [] : (['facts'] as const)),
  ...(knowledge === undefined ? [] : (['knowledge'] as const)),
]

/** Memories with documents and facts under names of their own, which no run writes. */
export const withLookups = (memory: MemoryStore, { knowledge, facts }: Lookups): MemoryStore => ({
  read: async (name, query) => {
    if (name === 'knowledge' && knowledge !== undefined) {
      return { value: await passages(knowledge, textOf(query)), version: 0 }
    }
    if (name === 'facts' && facts !== undefined) {
      return { value: [...(await facts.about(textOf(query)))].map(factText), version: 0 }
    }
    return memory.read(name, query)
  },
  write: (name, value, options) => memory.write(name, value, options),
})

const textOf = (query: Json): string => (typeof query === 'string' ? query : '')

async function passages(knowledge: AssistKnowledge, text: string): Promise<readonly string[]> {
  const found = await knowledge.search(text, { limit: MOST_PASSAGES })
  return found
    .filter(({ similarity = 1 }) => similarity >= (knowledge.embedder?.floor ?? 0))
    .map((chunk, nth) => chunkText(chunk, nth + 1))
}

const factText = (fact: string): string =>
  `<fact>${fact.replaceAll(/<(?=\s*\/?\s*fact\b)/gi, '&lt;').replaceAll(/\s+/gu, ' ')}</fact>`
