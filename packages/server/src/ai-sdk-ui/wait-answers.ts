import type { Json } from 'echelon/runtime'
import type { ClientResult } from '../agents/client-tools.ts'
import { HttpProblem } from '../http/problem.ts'
import { callIdOf } from '../runs/call-id.ts'
import type { LiveRun } from '../runs/live-run.ts'
import type { WaitPart } from '../runs/until-wait.ts'
import type { UiMessage, UiPart } from './ui-request.ts'

/**
 * Answers what a run waits for with what the user did to the parts of a message.
 * @throws HttpProblem 400 if the answer is not there yet; EchelonError for one that does not fit
 */
export function answerWait(run: LiveRun, wait: WaitPart, messages: readonly UiMessage[]): void {
  const parts = messages.flatMap((message) => (message.role === 'assistant' ? message.parts : []))
  switch (wait.type) {
    case 'approval': {
      const part = parts.findLast(({ approval }) => approval?.id === wait.request)
      const approved = part?.approval?.approved
      if (approved === undefined) throw notYet('approves or denies a call of a tool')
      const { hash } = wait.about
      return run.respond(wait.request, { choice: approved ? 'once' : 'deny', hash })
    }
    case 'question': {
      const result = resultOf(parts, wait.request)
      if (result === undefined) throw notYet('answers its question')
      return run.respond(wait.request, result.type === 'result' ? result.value : null)
    }
    case 'client-turn': {
      const results = new Map<number, ClientResult>()
      for (const [at, call] of wait.calls.entries()) {
        const result = resultOf(parts, callIdOf(run.id, call))
        if (result === undefined) throw notYet('gives the output of each of its calls')
        results.set(wait.places[at] ?? 0, result)
      }
      return run.giveResults(wait.request, results)
    }
  }
}

const notYet = (what: string): HttpProblem =>
  new HttpProblem(400, 'invalid_input', `the run waits until the user ${what}`)

function resultOf(parts: readonly UiPart[], call: string): ClientResult | undefined {
  const part = parts.findLast(({ toolCallId }) => toolCallId === call)
  if (part?.state === 'output-error') {
    return { type: 'error', message: part.errorText ?? 'the client reports an error' }
  }
  if (part?.state !== 'output-available') return undefined
  const value: Json = part.output ?? null
  return { type: 'result', value }
}
