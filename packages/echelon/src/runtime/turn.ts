import type { AgentDefinition } from '../core/agent/agent.ts'
import type { Finish } from '../core/agent/effect.ts'
import { EchelonError } from '../core/value/error.ts'
import type { Json } from '../core/value/json.ts'
import type { Thread } from '../core/message/thread.ts'
import type { Branch } from './branch.ts'

/** The end of a turn, with the answer if middleware changed it. */
export interface TurnFinish<Result> extends Finish<Result> {
  readonly text?: string
}

/** Runs a turn through the middleware, which may change the messages and the answer. */
export async function throughTurn<Input extends Json, State, Result>(
  branch: Branch,
  { turns, name }: AgentDefinition<Input, State, Result>,
  { input, history }: { readonly input: Input; readonly history: Thread },
  work: (input: Input) => Promise<Finish<Result>>,
): Promise<TurnFinish<Result>> {
  const chain = branch.pipeline?.turn
  if (chain === undefined || turns === undefined) return work(input)
  const messages = turns.messagesOf(input)
  let finish: Finish<Result> | undefined
  const end = await chain(
    { messages, history },
    async (turn) => {
      const said = turn.messages === messages ? input : turns.withMessages(input, turn.messages)
      finish = await work(said)
      const status = branch.tree.isCanceled ? 'canceled' : 'finished'
      return { status, reason: finish.reason, text: turns.textOf(finish.result) }
    },
    branch,
  )
  if (finish === undefined) throw neverBegun(name)
  if (end.text === turns.textOf(finish.result)) return finish
  const result = turns.withText(finish.result, end.text)
  return { ...finish, result, text: end.text }
}

/** Returns the end of a finished turn with the answer that middleware gave it. */
export function withText<Input extends Json, State, Result>(
  { turns }: AgentDefinition<Input, State, Result>,
  finish: Finish<Result>,
  text: string | undefined,
): Finish<Result> {
  if (text === undefined || turns === undefined) return finish
  return { ...finish, result: turns.withText(finish.result, text) }
}

const neverBegun = (agent: string): EchelonError =>
  new EchelonError(
    'INVALID_DEFINITION',
    `a middleware around the turn of ${agent} never called next; to refuse a turn, use permit`,
  )
