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
  // If the conversation continues later, only its new messages are learned from.
  for (const change of describeLearned(await facts.learn(said, randomUUID()))) {
    io.stderr.write(`${change}\n`)
  }
}
