// Any object that answers can be an AIAgent: here a decider, which keeps no conversation.
import { randomUUID } from 'node:crypto'
import { asAIAgent, type SessionAgent } from '@echelon/adapters/aiagent'
import { createDecider } from 'echelon/decide'

// Without options it uses the offline models.
const decider = await createDecider()

const agent: SessionAgent = {
  name: 'decider',
  run(input) {
    const task = typeof input === 'string' ? input : textOf(input.at(-1)?.content)
    const begun = decider.start(task)
    return {
      id: randomUUID(),
      result: begun
        .then(({ result }) => result)
        .then(({ answer, finish_reason: why, verified, explanation, token_usage: took, cost }) => ({
          text: answer ?? '',
          status: why === 'canceled' ? 'canceled' : 'finished',
          reason: answer === null ? why : 'stop',
          // In `additionalProperties` of the response: says if the answer is not verified.
          detail: verified ? null : explanation,
          usage: {
            input: took.small_model.prompt_tokens + took.big_model.prompt_tokens,
            output: took.small_model.completion_tokens + took.big_model.completion_tokens,
          },
          cost,
        })),
      cancel: () => void begun.then(({ run }) => run.cancel()).catch(() => undefined),
      respond: () => {
        throw new Error('a decider asks nothing')
      },
      async *[Symbol.asyncIterator]() {
        yield* (await begun).run
      },
    }
  },
  // Tasks are independent: a session stores only its id.
  session: (id = randomUUID()) => ({ id, checkpoint: () => id }),
  restoreSession: (stored) => {
    if (typeof stored !== 'string' || stored.length > 36) throw new Error('no session of mine')
    return { id: stored, checkpoint: () => stored }
  },
}

/** The text of a message, whose content is a string or parts. */
function textOf(content: unknown): string {
  if (!Array.isArray(content)) return String(content)
  return content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('')
}

const ai = asAIAgent(agent, { description: 'answers with evidence' })
const session = ai.createSession()
const response = await ai.run('What is 15% of 600?', { session })
console.log(response.text, response.finishReason, response.rawRepresentation?.status)
const kept = JSON.stringify(await ai.serializeSession(session))
const restored = await ai.deserializeSession(kept)
console.log(restored.id === session.id, (await ai.run('1 + 1', { session: restored })).text)
