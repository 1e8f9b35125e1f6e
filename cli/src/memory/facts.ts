import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Fact, Learned, UserFacts } from '@echelon/knowledge'
import pc from 'picocolors'
import { clean } from '../terminal/clean.ts'

/** Facts about the user of a memory folder, in a file of it. */
export interface OpenedFacts extends AsyncDisposable {
  readonly facts: UserFacts
}

const fileIn = (folder: string): string => join(folder, 'facts.db')

export const hasFacts = (folder: string): boolean => existsSync(fileIn(folder))

/** Opens the facts, or creates the file. */
export async function factsAt(folder: string): Promise<OpenedFacts> {
  const { sentenceEmbedder, UserFacts: Facts } = await import('@echelon/knowledge')
  const { openStore } = await import('@echelon/store')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const store = await openStore(fileIn(folder))
  const facts = new Facts({ store: store.notes, user: 'you', embedder: sentenceEmbedder() })
  return { facts, [Symbol.asyncDispose]: () => store.close() }
}

/** A fact for a person, with the sentence that it comes from. */
export const describeFact = ({ id, about, fact, from }: Fact): string =>
  [
    `${pc.bold(clean(id))}  ${clean(fact)} ${pc.dim(`(${clean(about)})`)}`,
    ...(from === '' ? [] : [pc.dim(`    you said: “${clean(from)}”`)]),
  ].join('\n')

/** The facts that a conversation changed, one line each; empty if it changed nothing. */
export const describeLearned = ({ added, changed, forgotten }: Learned): readonly string[] => [
  ...added.map(({ fact, from }) => `remembered: ${clean(fact)} (“${clean(from)}”)`),
  ...changed.map(
    ({ before, after }) =>
      `changed: ${clean(before.fact)} → ${clean(after.fact)} (“${clean(after.from)}”)`,
  ),
  ...forgotten.map(({ fact }) => `forgotten: ${clean(fact)}`),
]
