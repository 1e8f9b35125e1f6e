import { randomUUID } from 'node:crypto'
import type { UserFacts } from '@echelon/knowledge'
import type { Io } from '../io.ts'
import { describeLearned } from './facts.ts'

/** Learns from what the user said in a conversation, and says what changed. */
export async function learnFrom(
  io: Io,
  facts: UserFacts | undefined,
  said: readonly string[],
): Promise<void> {
  if (facts === undefined || said.length === 0) return
  // A conversation that goes on later is learned from again, from then on.
  for (const change of describeLearned(await facts.learn(said, randomUUID()))) {
    io.stderr.write(`${change}\n`)
  }
}
