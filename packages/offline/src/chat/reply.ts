import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { isRecord } from 'echelon/internal/value'
import type { JsonObject } from 'echelon/runtime'
import type { Reply } from '../language-model.ts'
import { type OfflineModel, readTask } from '../models.ts'
import type { Action } from '../plan.ts'
import { introduce, pleasantry } from './introduction.ts'
import { quoted } from './quoted.ts'
import { type Done, stateResults } from './statement.ts'
import { type ChatTurn, readTurn } from './turn.ts'

/**
 * An offline model's reply in a conversation: it reads the user's last message like a planning task, calls the
 * tools one by one, and states their results. For anything it cannot read it quotes given documents, or else says
 * so and names a model that could.
 */
export function chatReply(model: OfflineModel, options: LanguageModelV4CallOptions): Reply {
  const turn = readTurn(options)
  const introduction = introduce(model, turn.tools)
  const pleasant = pleasantry(turn.question, introduction)
  if (pleasant !== undefined) return say(pleasant)
  const read = readTask(model, { ...turn, tools: turn.tools.union(calledTools(turn)) })
  if ('reason' in read) {
    const passages = quoted(turn.question, options.prompt)
    if (passages !== undefined) return say(passages)
    return say(`I cannot answer that: ${read.reason}. ${hint(model, turn)}${introduction}`)
  }
  const done = doneOf(read.actions, turn)
  const next = read.actions[done.length]
  const isStuck = done.at(-1)?.result.value === undefined && done.length > 0
  if (next === undefined || isStuck) return say(stateResults(done))
  return { type: 'call', id: turn.nextCall, tool: next.tool, args: filled(next.args, done) }
}

/** Tools already called stay known, even if the user has ruled them out since. */
const calledTools = ({ results }: ChatTurn): ReadonlySet<string> =>
  new Set(results.map(({ tool }) => tool))

const say = (text: string): Reply => ({ type: 'text', text })

/** Mentions the bigger model if it is known to read this. */
function hint(model: OfflineModel, turn: ChatTurn): string {
  if (model === 'big' || 'reason' in readTask('big', turn)) return ''
  return 'offline/big reads this question; choose it. '
}

/** Another model may have called other tools in the same turn: skip them. */
function doneOf(actions: readonly Action[], { results }: ChatTurn): readonly Done[] {
  const done: Done[] = []
  for (const result of results) {
    const action = actions[done.length]
    if (action?.tool === result.tool) done.push({ action, result })
  }
  return done
}

const REFERENCE = /^\$(\d+)\.(\w+)$/

/** The arguments, with references to earlier results filled in. */
function filled(args: JsonObject, done: readonly Done[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const [, number, field = ''] = (typeof value === 'string' && REFERENCE.exec(value)) || []
      if (number === undefined) return [name, value]
      const earlier = done[Number(number) - 1]?.result.value
      return [name, isRecord(earlier) ? earlier[field] : null]
    }),
  )
}
