import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { z } from 'zod'
import type { Agent } from '../../packages/echelon/src/agents/chat/chat-agent.ts'
import { createAgent } from '../../packages/echelon/src/chat.ts'
import { defineMiddleware } from '../../packages/echelon/src/core/extension/define-middleware.ts'
import type { Middleware } from '../../packages/echelon/src/core/extension/defined-middleware.ts'
import type { BoundModel } from '../../packages/echelon/src/core/model/model.ts'
import type { RetryPolicy } from '../../packages/echelon/src/core/model/retry-policy.ts'
import type { GivenAnswer } from '../../packages/echelon/src/testing/scripted-model/answer.ts'
import {
  apiError,
  asBound,
  type ScriptedReply,
  type ScriptedToolCall,
  scriptedModel,
} from '../../packages/echelon/src/testing/scripted-model.ts'
import type { Outside } from './outside.ts'
import { answerAll, type Scenario, type Surroundings } from './scenario.ts'

/** A dollar for a thousand tokens; each call takes ten in and five out. */
const price = ({ input, output }: { input: number; output: number }): number =>
  (input + output) / 1000

/** Depends only on its prompt, so that it answers the same in every process. */
export const modelOf = (
  name: string,
  outside: Outside,
  answer: (results: readonly string[]) => ScriptedReply | string,
): BoundModel => {
  const failed = new Set<string>()
  const beyond = ({ prompt }: LanguageModelV4CallOptions): GivenAnswer => {
    const results = prompt.flatMap(({ role, content }) =>
      role === 'tool' ? content.map((part) => JSON.stringify(part)) : [],
    )
    outside.do(`model:${name}`, String(results.length))
    // Once in each process; it is retried.
    const part = `${name} ${prompt.length}`
    if (outside.fails(part) && !failed.has(part)) {
      failed.add(part)
      return { error: apiError(503) }
    }
    return answer(results)
  }
  return asBound(scriptedModel([], { beyond, modelId: name }), `scripted/${name}`, price)
}

const call = (tool: string): ScriptedToolCall => ({ tool, input: { task: 'see to the house' } })

/** Its state lasts over steps, and so over crashes. */
const counting = (): Middleware<'counting', { readonly calls: number }> =>
  defineMiddleware({
    name: 'counting',
    state: { version: 1, schema: z.object({ calls: z.number() }), initial: { calls: 0 } },
    tool: (asked, next, { update }) => {
      update(({ calls }) => ({ calls: calls + 1 }))
      return next(asked)
    },
  })()

/** Failures are retried without a wait. */
export const AT_ONCE: RetryPolicy = { retries: 2, baseMs: 0, factor: 1, jitter: 0 }

/** A sub-agent that looks, and pays after an approval. */
const expertIn = (outside: Outside): Agent =>
  createAgent({
    name: 'expert',
    model: modelOf('expert', outside, (results) =>
      results.length === 0 ? { toolCalls: [call('look'), call('lend')] } : 'lent',
    ),
    tools: [
      outside.tool('look', { does: 'reads' }),
      outside.tool('lend', { does: 'acts', canTell: true, needsApproval: true }),
    ],
    use: [counting()],
    errorHandling: AT_ONCE,
  })

/** The final text. Whether the letter was sent may be unknown. */
function summary(results: readonly string[]): string {
  const letter = results.find((result) => result.includes('"post"')) ?? ''
  const state = letter.includes('may have acted') ? 'unknown' : 'sent'
  return `all is done, the letter is ${letter.includes('out of order') ? 'here' : state}`
}

/** Tools of all kinds in three rounds: their effects and their questions. */
export const chatAgent = ({
  journal,
  memories,
  outside,
  limits,
  clock,
}: Omit<Surroundings, 'run' | 'folder'>): Agent =>
  createAgent({
    name: 'steward',
    model: modelOf('steward', outside, (results) => {
      if (results.length === 0) {
        return { toolCalls: [call('look'), call('put'), call('pay'), call('post')] }
      }
      if (results.length === 4) {
        return { toolCalls: [call('look'), call('ask_expert'), call('book'), call('sign')] }
      }
      return summary(results)
    }),
    tools: [
      outside.tool('look', { does: 'reads' }),
      outside.tool('put', { does: 'idempotent' }),
      outside.tool('pay', { does: 'acts', canTell: true }),
      outside.tool('post', { does: 'acts' }),
      outside.tool('book', { does: 'idempotent', asks: 'How many nights?' }),
      outside.tool('sign', { does: 'acts', canTell: true, needsApproval: true }),
      expertIn(outside).asTool({ name: 'ask_expert', description: 'lends' }),
    ],
    use: [counting()],
    errorHandling: AT_ONCE,
    limits,
    journal,
    memory: memories,
    timeZone: 'UTC',
    ...(clock && { clock }),
  })

/** Actions that may happen at most once. */
export const CHAT_ACTS: readonly string[] = ['lend', 'pay', 'post', 'sign']

export const chat: Scenario = async (surroundings) => {
  const agent = chatAgent(surroundings)
  const { journal, run: runId } = surroundings
  const isNew = (await journal.read(runId)).length === 0
  const run = isNew ? agent.run('see to the house', { runId }) : await agent.resume(runId)
  await answerAll(run)
  const { status, reason, text } = await run.outcome
  return { status, reason, result: text, spent: run.spent }
}
