import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { z } from 'zod'
import type { Agent } from '../../packages/echelon/src/agents/chat/chat-agent.ts'
import type { AgentSettings } from '../../packages/echelon/src/agents/chat/agent-options.ts'
import { createAgent } from '../../packages/echelon/src/chat.ts'
import { defineMiddleware } from '../../packages/echelon/src/core/extension/define-middleware.ts'
import type { BoundModel } from '../../packages/echelon/src/core/model/model.ts'
import { defineTool, type Tool } from '../../packages/echelon/src/core/tool/tool.ts'
import {
  asBound,
  type ScriptedReply,
  scriptedModel,
} from '../../packages/echelon/src/testing/scripted-model.ts'

/** Gives the same answer to the same messages in any process; the conversation shows the next step. */
function model(): BoundModel {
  const answer = ({ prompt }: LanguageModelV4CallOptions): ScriptedReply | string => {
    const last = prompt.at(-1)
    if (last?.role !== 'user') return 'It is sent.'
    const text = last.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
    const turns = prompt.filter(({ role }) => role === 'user').length
    return text.startsWith('send')
      ? { toolCalls: [{ tool: 'send', input: { text } }] }
      : `Turn ${turns}: ${text}`
  }
  return asBound(scriptedModel([], { beyond: answer }), 'scripted/assistant')
}

/** Counts turns for the whole session. */
const turns = defineMiddleware({
  name: 'turns',
  state: {
    version: 1,
    schema: z.object({ count: z.number() }),
    initial: { count: 0 },
    scope: 'session',
  },
  turn: (turn, next, { update }) => {
    update(({ count }) => ({ count: count + 1 }))
    return next(turn)
  },
})

export const actsIn = (file: string): readonly string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []

/** Acts by writing a line to a file. */
export const sending = (file: string, needsApproval = false): Tool =>
  defineTool({
    name: 'send',
    description: 'sends',
    does: 'acts',
    needsApproval,
    input: z.object({ text: z.string() }),
    run: ({ text }, { key }) => {
      appendFileSync(file, `${key}\n`)
      return `sent: ${text}`
    },
    reconcile: async (key) =>
      actsIn(file).includes(key) ? { type: 'ok', value: 'sent' } : 'not-done',
  })

export const assistant = (settings: AgentSettings): Agent<{ readonly turns: { count: number } }> =>
  createAgent({ name: 'assistant', model: model(), use: [turns()], ...settings })

/** Kills this process at once, as in a power failure. */
export function die(): never {
  process.kill(process.pid, 'SIGKILL')
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}
