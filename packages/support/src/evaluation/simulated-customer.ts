import { systemMessage, userMessage } from 'echelon/internal/message'
import type { LLMProvider } from '../primitives/llm-provider.ts'
import type { TriedTurn } from './run-conversations.ts'

const DONE = '###DONE###'
const MOST_CHARACTERS = 2_000

/** The next message of a customer that a model plays; `null` once it is done. */
export async function nextMessage(
  simulator: LLMProvider,
  goal: string,
  turns: readonly TriedTurn[],
): Promise<string | null> {
  const { content } = await simulator.generate(
    [
      systemMessage(
        [
          'You play a customer who writes to the support of a shop. Write the next message of the customer, and nothing else: short, as people write in a chat.',
          'Tell only what the goal says, and not all of it at once. Invent nothing: what the goal does not say, you do not remember.',
          `When the goal is reached, or can't be, answer ${DONE} alone.`,
          `The goal: ${goal}`,
        ].join('\n'),
      ),
      userMessage(transcript(turns)),
    ],
    { temperature: 0 },
  )
  const text = (content ?? '').trim().slice(0, MOST_CHARACTERS)
  return text === '' || text.includes(DONE) ? null : text
}

function transcript(turns: readonly TriedTurn[]): string {
  if (turns.length === 0) return 'The chat is open. Write the first message.'
  const lines = turns.flatMap(({ move, text }) => [
    ...(move.type === 'user' ? [`Customer: ${move.text}`] : []),
    `Support: ${text}`,
  ])
  return `${lines.join('\n')}\nWrite the next message of the customer.`
}
